import type { Principal } from '../access/index.ts';
import type { Calls, View } from '../control/index.ts';
import { WatsError } from '../errors/index.ts';
import type { Found, StoredPost } from '../store/index.ts';
import { type GuardianHouse, guardianCalls } from './guardian-calls.ts';
import { previewRun } from './preview.ts';
import type { Profiles } from './profiles.ts';
import type { ViewPublisher } from './publish-view.ts';
import { statusOf, type ToolHouse } from './tools.ts';
import { unlinkedPeers } from './unlinked.ts';
import type { AgentSources } from './view.ts';
import { spendView } from './view.ts';
import { draftPage, runPage } from './view-rows.ts';
import { noAgent, type Why } from './why.ts';

const PERSON: Principal = { kind: 'person', through: 'control' };
const MOST_ROWS = 500;

export interface CallHouse {
  readonly tools: ToolHouse;
  readonly agent: AgentSources | null;
  readonly profiles: Profiles;
  readonly views: ViewPublisher;
  readonly why: (stored: StoredPost) => Why;
  readonly guardians: Omit<GuardianHouse, 'store' | 'publisher' | 'now'>;
}

/** A post as commands print it: its own fields, as they are, with what this node knows of it. */
function described(stored: StoredPost, profiles: ReadonlyMap<string, string>) {
  return {
    ...stored.post,
    seq: stored.seq,
    chain: stored.chain,
    thread: stored.thread,
    profile: profiles.get(stored.post.author) ?? null,
  };
}

/** What a person's commands ask for by name. Arguments come from our own commands, possibly of another version. */
export function personCalls(house: CallHouse): Calls {
  const { agent, views } = house;
  const { store, link, publisher, now } = house.tools;
  const profiles = house.profiles.byAuthor;
  const list = (found: Found) => ({
    total: found.total,
    isMore: found.isMore,
    posts: found.posts.map((stored) => described(stored, profiles)),
  });

  return {
    ...guardianCalls({ ...house.guardians, store, publisher, now }),

    search: async (args) =>
      list(
        await house.tools.search({
          text: textArg(args, 'text'),
          kinds: listArg(args, 'kinds'),
          author: args['author'] === undefined || args['author'] === null ? null : keyArg(args, 'author'),
          since:
            args['since'] === undefined || args['since'] === null
              ? null
              : intArg(args, 'since', 0, Number.MAX_SAFE_INTEGER),
          offset: intArg(args, 'offset', 0, Number.MAX_SAFE_INTEGER),
          limit: intArg(args, 'limit', 1, MOST_ROWS),
        }),
      ),

    read(args) {
      const stored = store.posts.find(textArg(args, 'id'));
      const root = stored.thread ?? stored.post.id;
      const found = store.posts.thread(
        root,
        intArg(args, 'after', 0, Number.MAX_SAFE_INTEGER),
        intArg(args, 'limit', 1, MOST_ROWS),
      );
      return { post: described(stored, profiles), thread: list(found) };
    },

    inbox: (args) =>
      list(
        store.posts.inbox(
          publisher.authorOf(PERSON),
          intArg(args, 'after', 0, Number.MAX_SAFE_INTEGER),
          intArg(args, 'limit', 1, MOST_ROWS),
        ),
      ),

    status() {
      views.touch(); // what only time or a file has changed is looked at anew
      const net = link.status();
      return {
        ...statusOf(house.tools),
        ...shownToo(views.view()),
        spend: agent === null ? null : spendView(agent, store, now()),
        peers: net?.peers ?? [],
        listening: net?.listening ?? [],
        relays: net?.relays ?? [],
        serving: net?.serving ?? null,
      };
    },

    pending: () => store.drafts.held().map((draft) => draftPage(store, draft, profiles)),

    runs(args) {
      if (agent === null) return { total: 0, runs: [], spend: null };
      const { agent: name } = agent.settings;
      return {
        total: store.runs.count(name),
        runs: store.runs.newest(name, intArg(args, 'limit', 1, MOST_ROWS)).map(runPage),
        spend: spendView(agent, store, now()),
      };
    },

    preview() {
      if (agent === null) throw noAgent();
      return previewRun(agent, now());
    },
    why: (args) => house.why(store.posts.find(textArg(args, 'id'))),
    profiles: () => [...profiles].map(([author, profile]) => ({ author, profile })),
    'peer.list': () => link.status()?.peers ?? unlinkedPeers(store),
    'peer.invite': async (args) => ({
      invite: await link.invite(args['open'] === true),
      private: link.space() !== 'open',
    }),
    'peer.join': (args) => link.join(textArg(args, 'invite')),
    'peer.add': async (args) => {
      await link.add(textArg(args, 'address'));
      return null;
    },
    'peer.remove': async (args) => {
      const id = textArg(args, 'peer');
      if (!(await link.remove(id)))
        throw new WatsError('not_found', 'there is no such peer', { fix: 'wats peer list shows them' });
      return null;
    },
  };
}

/** What `wats status` shows of the view. */
function shownToo({ node, alerts, queue, run, paused }: View) {
  return { profile: node.profile, alerts, queue, run, paused };
}

function textArg(args: Record<string, unknown>, name: string): string {
  const value = args[name];
  if (typeof value !== 'string') throw new WatsError('protocol', `the request lacks ${name}`);
  return value;
}

function listArg(args: Record<string, unknown>, name: string): readonly string[] {
  const value = args[name] ?? [];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    throw new WatsError('protocol', `${name} is a list of words`);
  return value;
}

function intArg(args: Record<string, unknown>, name: string, least: number, most: number): number {
  const value = args[name] ?? least;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least || value > most) {
    throw new WatsError('usage', `${name} is a whole number from ${least} to ${most}`);
  }
  return value;
}

/** A full author key: a short one is never accepted. */
function keyArg(args: Record<string, unknown>, name: string): string {
  const value = textArg(args, name);
  if (!/^[0-9a-f]{64}$/.test(value))
    throw new WatsError('usage', `${name} is a full key: 64 lower-case hex digits`);
  return value;
}
