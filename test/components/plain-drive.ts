import { QUIET_MS } from '../../components/dialogs/guard.ts';
import { graphemesOf } from '../../components/keys/names.ts';
import { eventOf } from '../../components/plain/input.ts';
import type { PlainEffect, PlainEvent, World } from '../../components/plain/menu.ts';
import { begin, type Session, type Stepped, step } from '../../components/plain/session.ts';
import { queryOf } from '../../components/state/search-query.ts';
import type { Intent, IntentResult, TranscriptEntry, View } from '../../src/control/index.ts';
import { TestControls } from './controls.ts';
import { ENTRIES, NOW, VIEW } from './fixture.ts';
import { found, pageAfter } from './threads.ts';

/** The linear mode without a terminal: chunks of input in, text and effects out; pages are answered at once. */
export class PlainDrive {
  session: Session;
  text = '';
  effects: PlainEffect[] = [];
  now = NOW;
  wakeAt: number | null = null;
  /** What the editor gives back for what it was given. */
  edit: (text: string) => string | null = (text) => text;
  /** How a wats command ends. */
  code = 0;
  answer: (intent: Intent) => IntentResult = (intent) => ({ ok: true, text: `${intent.do} is done` });
  /** Pages are kept back until a test lets them come. */
  slow = false;
  later: PlainEvent[] = [];
  readonly data = new TestControls();
  readonly options: { -readonly [K in keyof Omit<World, 'view' | 'now'>]: World[K] };
  view: View;

  constructor(view: View = VIEW, options: Partial<Omit<World, 'view' | 'now'>> = {}) {
    this.view = view;
    this.options = { mode: 'daemon', readOnly: false, once: false, canEdit: true, canRun: true, ...options };
    const first = begin(this.world);
    this.session = first.session;
    this.#take(first);
  }

  get world(): World {
    return { ...this.options, view: this.view, now: this.now };
  }

  /** One chunk, so many ms after what came before it. */
  chunk(chunk: string, afterMs = 1_000): void {
    this.now += afterMs;
    const event = eventOf(chunk, afterMs >= QUIET_MS && graphemesOf(chunk).length === 1);
    if (event !== null) this.event(event);
  }

  /** Keys as a person presses them, one at a time. @returns what was printed since */
  keys(...chunks: string[]): string {
    const before = this.text.length;
    for (const chunk of chunks) this.chunk(chunk);
    return this.text.slice(before);
  }

  event(event: PlainEvent): void {
    this.#take(step(this.session, event, this.world));
  }

  /** @returns what was printed because of it */
  change(fields: Partial<View>): string {
    const before = this.text.length;
    this.view = { ...this.view, ...fields, revision: this.view.revision + 1 };
    this.event({ type: 'world' });
    return this.text.slice(before);
  }

  /** Entries that the run in progress says now. */
  says(...entries: readonly (Pick<TranscriptEntry, 'text'> & Partial<TranscriptEntry>)[]): string {
    const { tail, total, runId } = this.view.transcript;
    const before = this.data.transcripts.get(runId ?? '') ?? [];
    const more = entries.map((entry, at) => ({
      ...ENTRIES[0]!,
      kind: 'text' as const,
      ...entry,
      n: total + at,
    }));
    this.data.transcripts.set(runId ?? '', [...before, ...more]);
    return this.change({
      transcript: { runId, total: total + more.length, tail: [...tail, ...more].slice(-120) },
    });
  }

  sent(): readonly Intent[] {
    return this.effects.flatMap((effect) => (effect.do === 'send' ? [effect.intent] : []));
  }

  did<K extends PlainEffect['do']>(what: K): readonly Extract<PlainEffect, { readonly do: K }>[] {
    return this.effects.filter(
      (effect): effect is Extract<PlainEffect, { readonly do: K }> => effect.do === what,
    );
  }

  #take({ session, text, effects, wakeAt }: Stepped): void {
    this.session = session;
    this.text += text;
    this.wakeAt = wakeAt;
    this.effects.push(...effects);
    for (const effect of effects) {
      const event = this.#reply(effect);
      if (event === null) continue;
      if (this.slow) this.later.push(event);
      else this.event(event);
    }
  }

  #reply(effect: PlainEffect): PlainEvent | null {
    switch (effect.do) {
      case 'send':
        return { type: 'result', intent: effect.intent, result: this.answer(effect.intent) };
      case 'draft': {
        const page = this.data.drafts.get(effect.id);
        return page === undefined
          ? { type: 'draftFailed', id: effect.id, text: 'no such draft' }
          : { type: 'draft', id: effect.id, page };
      }
      case 'thread': {
        const thread = this.data.threads.get(effect.id);
        return thread === undefined
          ? { type: 'threadFailed', id: effect.id, text: 'no such post' }
          : { type: 'thread', id: effect.id, page: pageAfter(thread, effect.after) };
      }
      case 'why': {
        const page = this.data.whys.get(effect.id);
        return page === undefined
          ? { type: 'whyFailed', id: effect.id, text: 'no such post' }
          : { type: 'why', id: effect.id, page };
      }
      case 'search': {
        const { text, kinds } = queryOf(effect.query);
        return { type: 'search', query: effect.query, page: found(text, kinds, effect.offset) };
      }
      case 'transcript': {
        const { runId, from, count } = effect;
        const entries = this.data.transcripts.get(runId) ?? [];
        const page = { runId, total: entries.length, entries: entries.slice(from, from + count) };
        return { type: 'transcript', from, page };
      }
      case 'edit':
        return { type: 'edited', for: effect.for, text: this.edit(effect.text) };
      case 'command':
        return { type: 'commanded', args: effect.args, code: this.code };
      case 'save':
        return { type: 'notice', tone: 'ok', text: 'saved here' };
      case 'suspend':
      case 'quit':
        return null;
      default:
        return effect satisfies never;
    }
  }
}
