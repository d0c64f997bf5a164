import { bind } from '../../components/keys/bind.ts';
import { plainLines, screenRows } from '../../components/layout/screen.ts';
import type { Context, Size } from '../../components/state/context.ts';
import type { Event } from '../../components/state/events.ts';
import { type Effect, firstState, type ScreenState } from '../../components/state/state.ts';
import { step } from '../../components/state/step.ts';
import type { DraftPage, PostRow, ThreadPage, View, WhyPage } from '../../src/control/index.ts';
import { DRAFT, NOW, VIEW } from './fixture.ts';
import { pageAfter, THREADS, WHYS } from './threads.ts';

const BINDINGS = bind();

/** A screen without a terminal: events in, state, rows and effects out. Frames are painted when a test says so. */
export class Drive {
  state: ScreenState;
  effects: Effect[] = [];
  now = NOW;
  painted: ScreenState | null = null;
  canEdit = true;
  canRun = true;
  once = false;
  mode: Context['mode'] = 'daemon';
  readOnly = false;
  /** What every search finds; `null`: a test answers them itself. */
  hits: readonly PostRow[] | null = null;
  drafts = new Map<string, DraftPage>([[DRAFT.id, DRAFT]]);
  threads = new Map<string, ThreadPage>(THREADS);
  whys = new Map<string, WhyPage>(WHYS);
  view: View;
  size: Size;

  constructor(view: View = VIEW, size: Size = { columns: 120, rows: 40 }) {
    this.view = view;
    this.size = size;
    this.state = firstState(view);
    this.event({ type: 'world' });
    this.paint();
  }

  get context(): Context {
    const { view, size, now, mode, readOnly, once, painted, canEdit, canRun } = this;
    return { view, size, now, mode, readOnly, once, painted, canEdit, canRun, bindings: BINDINGS };
  }

  event(event: Event): void {
    const [state, effects] = step(this.state, event, this.context);
    this.state = state;
    this.effects.push(...effects);
  }

  /** The terminal shows the newest state. */
  paint(): void {
    this.painted = this.state;
  }

  /** Keys as a person presses them: one at a time, with a second and a frame between. */
  keys(...names: string[]): void {
    for (const key of names) {
      this.now += 1_000;
      this.event({ type: 'key', key, alone: true });
      this.answerDrafts();
      this.answerPages();
      this.answerSearches();
      this.paint();
    }
  }

  /** Text as it is typed. */
  type(text: string): void {
    this.keys(...[...text].map((char) => (char === ' ' ? 'space' : char)));
  }

  /** The daemon answers what was asked of drafts. */
  answerDrafts(): void {
    for (const effect of this.effects.filter((one) => one.do === 'draft')) {
      const page = this.drafts.get(effect.id);
      if (page !== undefined) this.event({ type: 'draft', id: effect.id, page });
    }
    this.effects = this.effects.filter((one) => one.do !== 'draft');
  }

  /** The daemon answers what was asked of threads and rules, until nothing more is. */
  answerPages(): void {
    for (;;) {
      const asked = this.effects.filter((one) => one.do === 'thread' || one.do === 'why');
      if (asked.length === 0) return;
      this.effects = this.effects.filter((one) => one.do !== 'thread' && one.do !== 'why');
      for (const one of asked) {
        if (one.do === 'thread') {
          const page = this.threads.get(one.id);
          if (page !== undefined)
            this.event({ type: 'thread', id: one.id, page: pageAfter(page, one.after) });
        } else {
          const page = this.whys.get(one.id);
          if (page !== undefined) this.event({ type: 'why', id: one.id, page });
        }
      }
    }
  }

  answerSearches(): void {
    const { hits } = this;
    if (hits === null) return;
    for (;;) {
      const search = this.effects.find((one) => one.do === 'search');
      if (search?.do !== 'search') return;
      this.effects = this.effects.filter((one) => one !== search);
      const { query, offset } = search;
      const posts = hits.slice(offset, offset + 50);
      const page = { text: query, offset, total: hits.length, isMore: false, posts };
      this.event({ type: 'search', query, page });
    }
  }

  change(fields: Partial<View>): void {
    this.view = { ...this.view, ...fields };
    this.event({ type: 'world' });
  }

  resize(columns: number, rows: number): void {
    this.size = { columns, rows };
    this.event({ type: 'world' });
  }

  sent(): unknown[] {
    return this.effects.filter((effect) => effect.do === 'send').map((effect) => effect.intent);
  }

  lines(): string[] {
    return plainLines(screenRows(this.state, this.context));
  }

  text(): string {
    return this.lines().join('\n');
  }
}
