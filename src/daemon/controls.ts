import type { Principal } from '../access/index.ts';
import type { Controls, PageRequest } from '../control/index.ts';
import { WatsError } from '../errors/index.ts';
import type { ReaderThread, Store, StoredPost } from '../store/index.ts';
import type { intentHandler } from './intents.ts';
import { searchPage, threadPage, whyPage } from './pages.ts';
import type { Profiles } from './profiles.ts';
import type { ViewPublisher } from './publish-view.ts';
import type { TranscriptBook } from './transcript-book.ts';
import { draftPage } from './view-rows.ts';
import type { Why } from './why.ts';

export interface ControlHouse {
  readonly views: ViewPublisher;
  readonly book: TranscriptBook;
  readonly store: Store;
  readonly search: ReaderThread['search'];
  readonly profiles: Profiles;
  readonly intents: ReturnType<typeof intentHandler>;
  /** @throws WatsError `refused` when there is no agent */
  readonly why: (stored: StoredPost) => Why;
  readonly now: () => number;
}

/** What a screen holds: views, pages, and what a person asks for, in the name of whoever is at it. */
export function controlsFor(who: Principal, house: ControlHouse): Controls {
  const { views, book, store, profiles, intents } = house;
  return {
    view: views.view,
    subscribe: views.subscribe,
    page: (async (request: PageRequest) => {
      if (request.page === 'transcript') return book.page(request.runId, request.from, request.count);
      if (request.page === 'thread') return threadPage(store, profiles, request);
      if (request.page === 'search') return searchPage(house.search, profiles, request);
      if (request.page === 'why') {
        const stored = store.posts.byId(request.id);
        if (stored === null) throw new WatsError('not_found', 'there is no such post on this node');
        return whyPage(store, stored, house.why(stored), house.now());
      }
      const draft = store.drafts.byId(request.id);
      if (draft === null) throw new WatsError('not_found', 'there is no such draft (any more)');
      return draftPage(store, draft, profiles.byAuthor);
    }) as Controls['page'],
    send: async (id, intent) => {
      const result = intents(who, id, intent);
      views.touch();
      return result;
    },
  };
}
