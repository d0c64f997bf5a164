import { randomBytes } from 'node:crypto';
import { createIntake, type Intake, type Stored } from '../intake/index.ts';
import type { Keys } from '../keys/index.ts';
import { createPublisher, type Publisher } from '../publish/index.ts';
import type { Store } from '../store/index.ts';

export interface DoorOptions {
  readonly store: Store;
  readonly keys: Keys;
  readonly space: () => string;
  readonly maxBytes: number;
  readonly personProfile: string;
  readonly agent: { readonly name: string; readonly profile: string } | null;
  readonly review: boolean;
  readonly reviewTtlMs: number;
  readonly sessionsDecide: boolean;
  readonly halted: () => boolean;
  /** The run that a post of a forwarded agent belongs to. */
  readonly forwardedRun: (thread: string | null) => string | null;
  readonly now: () => number;
  readonly onStored: (stored: readonly Stored[]) => void;
  readonly onDraft: () => void;
}

/** The two doors: by which posts enter, and by which anything local is posted. */
export function openDoors(options: DoorOptions): { readonly intake: Intake; readonly publisher: Publisher } {
  const { store, keys, space, now } = options;
  const intake = createIntake({ store, space, maxBytes: options.maxBytes, now, onStored: options.onStored });
  const publisher = createPublisher({
    keys,
    intake,
    ledger: {
      atomically: store.atomically,
      byRequest: store.effects.byRequest,
      ofFirstTry: store.effects.ofFirstTry,
      record: store.effects.record,
    },
    drafts: store.drafts,
    parentOf(id) {
      const stored = store.posts.find(id);
      return { id: stored.post.id, space: stored.post.space, thread: stored.thread, root: stored.post.root };
    },
    swarm: space,
    personProfile: options.personProfile,
    agent: options.agent,
    review: options.review,
    reviewTtlMs: options.reviewTtlMs,
    policy: { sessionsDecide: options.sessionsDecide },
    halted: options.halted,
    forwardedRun: options.forwardedRun,
    now,
    random: (bytes) => randomBytes(bytes),
    onDraft: options.onDraft,
  });
  return { intake, publisher };
}
