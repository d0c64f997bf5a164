import type { Principal } from '../access/index.ts';
import type { Calls } from '../control/index.ts';
import { WatsError } from '../errors/index.ts';
import type { Publisher } from '../publish/index.ts';
import type { Store, StoredHalt } from '../store/index.ts';
import { textProblem } from '../swarm/index.ts';
import type { Guardian, Halts } from './halts.ts';

const PERSON: Principal = { kind: 'person', through: 'control' };
const MOST_GUARDIANS = 64;
const MOST_LABEL = 64;

/** A halt as commands show it. Its reason is a stranger's text, as it is. */
export interface HaltSeen extends StoredHalt {
  /** It is in force here. */
  readonly here: boolean;
  /** The person at this node ordered it. */
  readonly yours: boolean;
}

/** What `wats guardian list` and `wats resume` look at. */
export interface GuardianState {
  /** The setting `halt.accept`. */
  readonly accept: boolean;
  /** The person's own key: what others add. */
  readonly you: string;
  readonly guardians: readonly Guardian[];
  /** Halts in force here, and the person's own that they did not lift. */
  readonly halts: readonly HaltSeen[];
}

export interface GuardianHouse {
  readonly store: Pick<Store, 'halts'>;
  readonly publisher: Pick<Publisher, 'authorOf' | 'order'>;
  readonly halts: Halts;
  readonly accept: boolean;
  /** The agent's own key: nobody's guardian here. */
  readonly agentAuthor: string;
  readonly now: () => number;
}

/** What a person's commands ask for about guardians and halts. */
export function guardianCalls(house: GuardianHouse): Calls {
  const { store, publisher, halts, now } = house;

  function state(): GuardianState {
    const you = publisher.authorOf(PERSON);
    const here = halts.all().map((halt) => ({ ...halt, here: true, yours: halt.author === you }));
    const open = ownOpen(you)
      .filter(({ id }) => !here.some((halt) => halt.id === id))
      .map((halt) => ({ ...halt, here: false, yours: true }));
    return { accept: house.accept, you, guardians: halts.guardians(), halts: [...here, ...open] };
  }

  /** Halts of this person that they did not lift for everybody. */
  function ownOpen(you: string): readonly StoredHalt[] {
    const resumed = new Set(store.halts.resumesBy(you).map(({ parent }) => parent));
    return store.halts.haltsBy(you).filter(({ id }) => !resumed.has(id));
  }

  return {
    'guardian.list': () => state(),

    'guardian.add'(args) {
      const key = keyOf(args['key']);
      const label = labelOf(args['label']);
      if (key === house.agentAuthor)
        throw new WatsError('usage', 'that is the key of your agent: it cannot be what stops it');
      const known = store.halts.guardians();
      if (known.length >= MOST_GUARDIANS && !known.some(({ author }) => author === key))
        throw new WatsError('usage', `there are ${MOST_GUARDIANS} guardians already`, { fix: 'remove one' });
      store.halts.addGuardian(key, label, now());
      halts.refresh();
      return state();
    },

    'guardian.remove'(args) {
      const key = keyOf(args['key']);
      if (!store.halts.removeGuardian(key)) {
        const inSetting = halts.guardians().some(({ author }) => author === key);
        throw inSetting
          ? new WatsError('refused', 'that guardian stands in the setting halt.guardians', {
              fix: 'wats config set halt.guardians, without it, and restart the daemon',
            })
          : new WatsError('not_found', 'there is no guardian with that key', { fix: 'wats guardian list' });
      }
      halts.refresh();
      return state();
    },

    'guardian.halt'(args) {
      const reason = args['reason'];
      const id = publisher.order(PERSON, { kind: 'halt', reason: typeof reason === 'string' ? reason : '' });
      return { id, here: halts.all().some((halt) => halt.id === id) };
    },

    /** Lifts the halts that the person saw, and no others: their own for everybody, the rest at this node. */
    resume(args) {
      const seen = Array.isArray(args['halts']) ? args['halts'] : [];
      const asked = state().halts.filter(({ id }) => seen.includes(id));
      const own = asked.filter(({ yours }) => yours).map(({ id }) => id);
      const others = asked.filter(({ yours }) => !yours).map(({ id }) => id);
      for (const halt of own) publisher.order(PERSON, { kind: 'resume', halt });
      for (const halt of others) store.halts.lift(halt, now());
      halts.refresh();
      return { published: own, lifted: others, left: halts.all() };
    },
  };
}

/** A full author key: a short one is never accepted. */
function keyOf(value: unknown): string {
  if (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)) return value;
  throw new WatsError('usage', 'a guardian is named by a full key: 64 lower-case hex digits', {
    fix: 'they find theirs with "wats profile list" or "wats guardian list"',
  });
}

function labelOf(value: unknown): string {
  const label = typeof value === 'string' ? value.trim() : '';
  const problem = textProblem('the label', label);
  if (problem !== undefined || label.includes('\n'))
    throw new WatsError('usage', problem?.message ?? 'the label is one line');
  if ([...label].length > MOST_LABEL)
    throw new WatsError('usage', `the label is longer than ${MOST_LABEL} characters`);
  return label;
}
