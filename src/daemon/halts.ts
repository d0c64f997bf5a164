import type { Stored } from '../intake/index.ts';
import type { Store, StoredHalt } from '../store/index.ts';
import { haltsInForce } from '../swarm/index.ts';
import type { Log } from './log.ts';
import type { Occurrences } from './occurrences.ts';

/** Somebody whose halt this node obeys. */
export interface Guardian {
  readonly author: string;
  /** What the person calls them; '' for one of the setting. */
  readonly label: string;
  /** The store (`wats guardian add`), or the setting `halt.guardians`. */
  readonly from: 'store' | 'setting';
}

export interface HaltOptions {
  readonly store: Pick<Store, 'halts'>;
  /** The setting `halt.accept`: off, no halt is in force here. */
  readonly accept: boolean;
  /** The setting `halt.guardians`. */
  readonly configured: readonly string[];
  /** Halts came into force, or were lifted. Must not throw. */
  readonly onChange: (began: readonly StoredHalt[], ended: readonly StoredHalt[]) => void;
  readonly onDefect: (error: unknown) => void;
}

/** The halts in force at this node: read from the store, kept until something of it changes. */
export interface Halts {
  /** The id of a halt in force, the first that was ordered, or `null`. @throws WatsError when the store can't say */
  inForce(): string | null;
  all(): readonly StoredHalt[];
  guardians(): readonly Guardian[];
  /** Looks at what was stored just now. Never throws: what can't be read holds, see {@link Halts.inForce}. */
  stored(posts: readonly Stored[]): void;
  /** Guardians or what was lifted here changed. */
  refresh(): void;
}

export function createHalts(options: HaltOptions): Halts {
  const { store, accept, configured } = options;
  let known: readonly Guardian[] = [];
  let current: readonly StoredHalt[] = [];
  /** Something changed that was not read yet: until it is, nobody is told that nothing is in force. */
  let behind = false;

  function refresh(): void {
    behind = true;
    const added = store.halts
      .guardians()
      .map(({ author, label }): Guardian => ({ author, label, from: 'store' }));
    const inSetting = configured.filter((author) => !added.some((guardian) => guardian.author === author));
    known = [...added, ...inSetting.map((author): Guardian => ({ author, label: '', from: 'setting' }))];
    const authors = known.map(({ author }) => author);
    const next = haltsInForce({
      halts: accept ? authors.flatMap((author) => store.halts.haltsBy(author)) : [],
      resumes: authors.flatMap((author) => store.halts.resumesBy(author)),
      guardians: new Set(authors),
      lifted: store.halts.lifted(),
    });
    behind = false;
    const began = without(next, current);
    const ended = without(current, next);
    current = next;
    if (began.length > 0 || ended.length > 0) options.onChange(began, ended);
  }

  refresh();
  return {
    inForce() {
      if (behind) refresh();
      return current[0]?.id ?? null;
    },
    all: () => current,
    guardians: () => known,
    stored(posts) {
      const orders = posts.some(
        ({ post: { kind, author } }) =>
          (kind === 'halt' || kind === 'resume') && known.some((guardian) => guardian.author === author),
      );
      if (!orders) return;
      try {
        refresh();
      } catch (error) {
        options.onDefect(error);
      }
    },
    refresh,
  };
}

function without(halts: readonly StoredHalt[], others: readonly StoredHalt[]): readonly StoredHalt[] {
  const ids = new Set(others.map(({ id }) => id));
  return halts.filter(({ id }) => !ids.has(id));
}

/** Halts that came into force or were lifted, in the log and as occurrences. */
export function tellHalts(
  began: readonly StoredHalt[],
  ended: readonly StoredHalt[],
  log: Log,
  happened: Occurrences,
): void {
  for (const { id, author } of began) log.write('warn', 'halted', { halt: id, guardian: author });
  for (const { id } of ended) log.write('info', 'halt_lifted', { halt: id });
  for (const { id } of began) happened.tell({ type: 'halt', id });
  for (const { id } of ended) happened.tell({ type: 'halt_lifted', id });
}
