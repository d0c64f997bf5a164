import type {
  Controls,
  DraftPage,
  Intent,
  IntentResult,
  PageRequest,
  ThreadPage,
  TranscriptEntry,
  View,
  WhyPage,
} from '../../src/control/index.ts';
import { DRAFT, ENTRIES, VIEW } from './fixture.ts';
import { found, pageAfter, THREADS, WHYS } from './threads.ts';

/** A daemon's side of the screen that keeps what it was asked. */
export class TestControls implements Controls {
  current: View;
  readonly sent: { readonly id: string; readonly intent: Intent }[] = [];
  readonly pages: PageRequest[] = [];
  drafts = new Map<string, DraftPage>();
  threads = new Map<string, ThreadPage>(THREADS);
  whys = new Map<string, WhyPage>(WHYS);
  transcripts = new Map<string, readonly TranscriptEntry[]>();
  answer: (intent: Intent) => IntentResult = () => ({ ok: true, text: 'done' });
  readonly #listeners = new Set<() => void>();

  constructor(view: View = VIEW) {
    this.current = view;
    this.transcripts.set('r-0142', ENTRIES);
    for (const row of VIEW.drafts.rows)
      this.drafts.set(
        row.id,
        row.id === DRAFT.id
          ? DRAFT
          : {
              ...DRAFT,
              id: row.id,
              kind: row.kind,
              parent: null,
              text: row.excerpt,
              title: '',
              tags: [],
              sha256: row.id.padEnd(64, 'f'),
            },
      );
  }

  readonly view = () => this.current;

  readonly subscribe = (changed: () => void) => {
    this.#listeners.add(changed);
    return () => {
      this.#listeners.delete(changed);
    };
  };

  readonly send = (sendId: string, intent: Intent) => {
    this.sent.push({ id: sendId, intent });
    return Promise.resolve(this.answer(intent));
  };

  readonly page = ((request: PageRequest) => {
    this.pages.push(request);
    if (request.page === 'draft') {
      const draft = this.drafts.get(request.id);
      return draft === undefined
        ? Promise.reject(new Error(`no draft ${request.id}`))
        : Promise.resolve(draft);
    }
    if (request.page === 'thread') {
      const thread = this.threads.get(request.id);
      return thread === undefined
        ? Promise.reject(new Error('no such post'))
        : Promise.resolve(pageAfter(thread, request.after));
    }
    if (request.page === 'why') {
      const why = this.whys.get(request.id);
      return why === undefined ? Promise.reject(new Error('no such post')) : Promise.resolve(why);
    }
    if (request.page === 'search') {
      const { text, kinds, offset } = request;
      return Promise.resolve(found(text, kinds, offset));
    }
    const entries = this.transcripts.get(request.runId) ?? [];
    const { runId, from, count } = request;
    return Promise.resolve({ runId, total: entries.length, entries: entries.slice(from, from + count) });
  }) as Controls['page'];

  /** Publishes a changed view. */
  change(fields: Partial<View>): void {
    this.current = { ...this.current, ...fields, revision: this.current.revision + 1 };
    for (const listener of this.#listeners) listener();
  }

  get listening(): number {
    return this.#listeners.size;
  }
}
