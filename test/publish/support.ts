import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import type { Principal } from '../../src/access/index.ts';
import { createIntake, type Stored } from '../../src/intake/index.ts';
import { openKeys } from '../../src/keys/index.ts';
import { createPublisher, type PublishRequest } from '../../src/publish/index.ts';
import type { HeldDraft } from '../../src/review/index.ts';
import { openStore } from '../../src/store/index.ts';

export const START = 1_800_000_000_000;
export const TTL = 86_400_000;
export const AGENT_PROFILE = 'Zoë-agent';

export const person = { kind: 'person', through: 'screen' } as const satisfies Principal;
export const session = { kind: 'session', profile: 'zoe', shared: false } as const satisfies Principal;
export const shared = { kind: 'session', profile: 'zoe', shared: true } as const satisfies Principal;
export const run = {
  kind: 'run',
  agent: 'main',
  runId: 'r-1',
  profile: AGENT_PROFILE,
} as const satisfies Principal;
export const forwarded = {
  kind: 'forwarded',
  agent: 'main',
  profile: AGENT_PROFILE,
} as const satisfies Principal;
export const peer = { kind: 'peer', peerId: '12D3KooW' } as const satisfies Principal;

const cleaners: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleaners.splice(0).reverse()) clean();
});

export interface World {
  now: number;
  halted: boolean;
  space: string;
  /** The disk refuses the next effect. */
  failing: boolean;
}

/** The doors of a node on a real store with real keys, and the world around them. */
export function openHouse(
  settings: { review?: boolean; sessionsDecide?: boolean; agent?: boolean; personProfile?: string } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'wats-publish-'));
  cleaners.push(() => rmSync(folder, { recursive: true, force: true }));
  const world: World = { now: START, halted: false, space: 'open', failing: false };
  const store = openStore(join(folder, 'wats.db'));
  cleaners.push(() => store.close());
  const at = (name: string) => ({ path: join(folder, name), moved: false });
  const keys = openKeys({ secret: at('secret'), nodeKey: at('node_key') }, () => {});
  const heard: Stored[] = [];
  let drafts = 0;
  let bytes = 0;
  const intake = createIntake({
    store,
    space: () => world.space,
    maxBytes: 1e9,
    now: () => world.now,
    onStored: (stored) => heard.push(...stored),
  });
  const publisher = createPublisher({
    keys,
    intake,
    ledger: {
      atomically: store.atomically,
      ...store.effects,
      record(effect) {
        if (world.failing) throw new Error('the disk is full');
        store.effects.record(effect);
      },
    },
    drafts: store.drafts,
    parentOf(id) {
      const { post, thread } = store.posts.find(id);
      return { id: post.id, space: post.space, thread, root: post.root };
    },
    swarm: () => world.space,
    personProfile: settings.personProfile ?? 'zoe',
    agent: settings.agent === false ? null : { name: 'main', profile: AGENT_PROFILE },
    review: settings.review ?? true,
    reviewTtlMs: TTL,
    policy: { sessionsDecide: settings.sessionsDecide ?? true },
    halted: () => world.halted,
    now: () => world.now,
    random: (length) => Uint8Array.from({ length }, () => (bytes++ * 37) % 251),
    onDraft: () => {
      drafts += 1;
    },
  });
  return { world, store, keys, intake, publisher, heard, draftCalls: () => drafts };
}
export type House = ReturnType<typeof openHouse>;

export const ask = (fields: Partial<PublishRequest> = {}): PublishRequest => ({
  kind: 'ask',
  parent: null,
  title: 'a title',
  text: 'a text',
  tags: ['tag'],
  requestId: null,
  ...fields,
});

/** Holds a draft of the agent, and gives it as a person sees it. */
export function heldBy(house: House, who: Principal = run, fields: Partial<PublishRequest> = {}): HeldDraft {
  const result = house.publisher.publish(who, ask(fields));
  if (result.state !== 'held') throw new Error('it was not held');
  return house.store.drafts.byId(result.draft)!;
}

export const refusal = (code: string, message = '') =>
  expect.objectContaining({ code, message: expect.stringContaining(message) });
