import { randomBytes } from 'node:crypto';
import type { Settings } from '../config/index.ts';
import { createIntake, type Intake, type Stored } from '../intake/index.ts';
import type { Keys } from '../keys/index.ts';
import { createPublisher, type Publisher } from '../publish/index.ts';
import type { Store } from '../store/index.ts';
import { AGENT } from './settings.ts';

export interface DoorOptions {
  readonly settings: Settings;
  readonly store: Store;
  readonly keys: Keys;
  readonly space: () => string;
  readonly halted: () => boolean;
  /** The run that a post of a forwarded agent belongs to. */
  readonly forwardedRun: (thread: string | null) => string | null;
  readonly now: () => number;
  readonly onStored: (stored: readonly Stored[]) => void;
  readonly onDraft: () => void;
}

/** The two doors: by which posts enter, and by which anything local is posted. */
export function openDoors(options: DoorOptions): { readonly intake: Intake; readonly publisher: Publisher } {
  const { settings, store, keys, space, now } = options;
  const maxBytes = settings['store.max_bytes'];
  const intake = createIntake({ store, space, maxBytes, now, onStored: options.onStored });
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
    personProfile: settings.profile,
    agent: { name: AGENT, profile: settings['agent.profile'] },
    review: settings['agent.review'],
    reviewTtlMs: settings['agent.review_ttl'],
    policy: { sessionsDecide: settings['mcp.decide'] },
    halted: options.halted,
    forwardedRun: options.forwardedRun,
    now,
    random: (bytes) => randomBytes(bytes),
    onDraft: options.onDraft,
  });
  return { intake, publisher };
}
