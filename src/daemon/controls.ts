import type { Principal } from '../access/index.ts';
import type { Controls, PageRequest } from '../control/index.ts';
import { WatsError } from '../errors/index.ts';
import type { Store } from '../store/index.ts';
import type { intentHandler } from './intents.ts';
import type { Profiles } from './profiles.ts';
import type { ViewPublisher } from './publish-view.ts';
import type { TranscriptBook } from './transcript-book.ts';
import { draftPage } from './view-rows.ts';

/** What a screen holds: views, pages, and what a person asks for, in the name of whoever is at it. */
export function controlsFor(
  who: Principal,
  house: {
    readonly views: ViewPublisher;
    readonly book: TranscriptBook;
    readonly store: Store;
    readonly profiles: Profiles;
    readonly intents: ReturnType<typeof intentHandler>;
  },
): Controls {
  const { views, book, store, profiles, intents } = house;
  return {
    view: views.view,
    subscribe: views.subscribe,
    page: (async (request: PageRequest) => {
      if (request.page === 'transcript') return book.page(request.runId, request.from, request.count);
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
