/** The one door by which anything local is posted: rights, review, signing, intake. */
import { createHash } from 'node:crypto';
import { may, type Policy, type Principal } from '../access/index.ts';
import { WatsError } from '../errors/index.ts';
import type { Intake, Stored } from '../intake/index.ts';
import type { Keys } from '../keys/index.ts';
import {
  contentHash,
  type DraftContent,
  type DraftDesk,
  decidable,
  draftId,
  type HeldDraft,
} from '../review/index.ts';
import { checkContent, isWritable, LOCAL_SPACE, type PostBody } from '../swarm/index.ts';

export interface PublishRequest extends DraftContent {
  /** The caller's own id of this write; the same again gives the first result. */
  readonly requestId: string | null;
  /** Keep it on this node. */
  readonly local?: boolean;
}

export type PublishResult =
  | { readonly state: 'posted'; readonly id: string; readonly repeated: boolean }
  | { readonly state: 'held'; readonly draft: string; readonly repeated: boolean };

/** What a post is replied to. */
export interface Parent {
  readonly id: string;
  readonly space: string;
  /** Where its parent chain leads; `null` while that is not known. */
  readonly thread: string | null;
  /** The root it claims, for a reply to an unresolved one. */
  readonly root: string | null;
}

/** The durable record of what was done, in the transaction that does it. */
export interface Ledger {
  atomically<T>(act: () => T): T;
  byRequest(author: string, request: string): { readonly result: string; readonly argsHash: string } | null;
  /** What an earlier run did for the same wakes: same kind, same parent. */
  ofFirstTry(run: string, kind: string, parent: string | null): string | null;
  record(effect: {
    readonly agent: string | null;
    readonly run: string | null;
    readonly author: string;
    readonly tool: string;
    readonly request: string | null;
    readonly argsHash: string;
    readonly kind: string;
    readonly parent: string | null;
    readonly result: string;
    readonly at: number;
  }): void;
}

export interface PublishOptions<D extends HeldDraft> {
  readonly keys: Keys;
  readonly intake: Pick<Intake, 'own' | 'announce'>;
  readonly ledger: Ledger;
  readonly drafts: DraftDesk<D> & { hold(draft: Omit<HeldDraft, 'state'>): void };
  /** @throws WatsError `not_found` */
  readonly parentOf: (id: string) => Parent;
  /** The space of this node's swarm; it changes when the node joins a private one. */
  readonly swarm: () => string;
  /** The profile that people at this node post with. */
  readonly personProfile: string;
  /** The agent's profile: whatever posts with it is held while `review` is on. */
  readonly agent: { readonly name: string; readonly profile: string } | null;
  readonly review: boolean;
  readonly reviewTtlMs: number;
  readonly policy: Policy;
  /** A guardian's halt is in force: nothing of the agent is published. */
  readonly halted: () => boolean;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** Called after a draft was held or decided. Must not throw. */
  readonly onDraft: () => void;
}

export interface Publisher {
  /** The author key that a principal posts with, 64 hex digits. */
  authorOf(who: Principal): string;
  /** @throws WatsError `forbidden`, `invalid_post`, `halted`, `not_found`, `storage` */
  publish(who: Principal, request: PublishRequest): PublishResult;
  /**
   * Publishes a held draft: the bytes that were shown, or the edited text.
   * @throws WatsError `forbidden`, `not_found`, `decided`, `changed`, `halted`, `invalid_post`
   */
  approve(who: Principal, draft: string, shown: string, edited: string | null): { readonly postId: string };
  /** @throws WatsError `forbidden`, `not_found`, `decided` */
  reject(who: Principal, draft: string, reason: string): void;
  /** Takes a rejection back, while the draft has not expired and no prompt has told it. */
  unreject(who: Principal, draft: string): void;
  /** A post of the runner itself (its announce): not held. */
  announce(text: { title: string; text: string; tags: readonly string[] }): string;
}

export function createPublisher<D extends HeldDraft>(options: PublishOptions<D>): Publisher {
  const { keys, intake, ledger, drafts, agent, now } = options;

  const profileOf = (who: Principal): string => {
    if (who.kind === 'person') return options.personProfile;
    if (who.kind === 'peer') throw new WatsError('forbidden', 'a peer has no profile here');
    return who.profile;
  };
  const isAgents = (profile: string): boolean =>
    agent !== null && profile.normalize('NFC') === agent.profile.normalize('NFC');

  function demand(who: Principal, action: 'post' | 'reply' | 'decide'): void {
    if (!may(who, action, options.policy))
      throw new WatsError('forbidden', `this connection may not ${action}`);
  }

  function body(profile: string, content: DraftContent, local: boolean): PostBody {
    const problem = checkContent(content);
    if (problem) throw new WatsError('invalid_post', problem.message);
    const parent = content.parent === null ? null : options.parentOf(content.parent);
    // A reply has its parent's space, and stands where the parent's chain leads.
    return {
      v: 1,
      space: parent?.space ?? (local ? LOCAL_SPACE : options.swarm()),
      author: keys.authorOf(profile),
      ts: Math.floor(now() / 1000),
      kind: content.kind,
      root: parent === null ? null : (parent.thread ?? parent.root ?? parent.id),
      parent: parent?.id ?? null,
      title: content.title,
      text: content.text,
      tags: content.tags,
    };
  }

  function publish(who: Principal, request: PublishRequest): PublishResult {
    demand(who, request.parent === null ? 'post' : 'reply');
    if (!isWritable(request.kind))
      throw new WatsError('invalid_post', 'this kind is not for tools or people to post');
    const profile = profileOf(who);
    const author = keys.authorOf(profile);
    const run = who.kind === 'run' ? who.runId : null;
    const argsHash = contentHash(request);
    const stored: Stored[] = [];

    const result = ledger.atomically((): PublishResult => {
      const first = repeated(author, run, request, argsHash);
      if (first !== null) return first;
      const held = isAgents(profile) && options.review;
      if (isAgents(profile) && options.halted()) throw haltedError();
      const signed = body(profile, request, request.local ?? false);
      const done: PublishResult = held
        ? { state: 'held', draft: hold(profile, signed, run), repeated: false }
        : post(profile, signed, stored);
      ledger.record({
        agent: isAgents(profile) ? (agent?.name ?? null) : null,
        run,
        author,
        tool: request.parent === null ? 'post' : 'reply',
        request: request.requestId,
        argsHash,
        kind: request.kind,
        parent: request.parent,
        result: JSON.stringify(done),
        at: now(),
      });
      return done;
    });
    intake.announce(stored);
    if (result.state === 'held' && !result.repeated) options.onDraft();
    return result;
  }

  /** The first answer to this write, when it was done already: same request id, or the first try of the same wakes. */
  function repeated(
    author: string,
    run: string | null,
    request: PublishRequest,
    argsHash: string,
  ): PublishResult | null {
    if (request.requestId !== null) {
      const known = ledger.byRequest(author, request.requestId);
      if (known !== null) {
        if (known.argsHash !== argsHash) {
          throw new WatsError('invalid_post', 'this request id was used for another post', {
            fix: 'use a new request id',
          });
        }
        return { ...(JSON.parse(known.result) as PublishResult), repeated: true };
      }
    }
    const first = run === null ? null : ledger.ofFirstTry(run, request.kind, request.parent);
    return first === null ? null : { ...(JSON.parse(first) as PublishResult), repeated: true };
  }

  function post(profile: string, signed: PostBody, stored: Stored[]): PublishResult {
    const entry = intake.own(keys.sign(profile, signed));
    stored.push(entry);
    return { state: 'posted', id: entry.post.id, repeated: false };
  }

  function hold(profile: string, content: PostBody, run: string | null): string {
    const id = draftId(options.random);
    const { author, space, root, kind, parent, title, text, tags } = content;
    drafts.hold({
      id,
      agent: agent?.name ?? 'main',
      profile,
      author,
      space,
      root,
      kind,
      parent,
      title,
      text,
      tags,
      sha256: contentHash(content),
      run,
      createdAt: now(),
      expiresAt: now() + options.reviewTtlMs,
    });
    return id;
  }

  function approve(who: Principal, id: string, shown: string, edited: string | null): { postId: string } {
    demand(who, 'decide');
    if (options.halted()) throw haltedError();
    const stored: Stored[] = [];
    const postId = ledger.atomically(() => {
      const draft = decidable(drafts, id, shown, now());
      const content = edited === null ? draft : { ...draft, text: edited };
      const signed = body(draft.profile, content, draft.space === LOCAL_SPACE);
      const entry = intake.own(keys.sign(draft.profile, signed));
      const decided = { ...draft, text: content.text, sha256: contentHash(content) };
      const won = drafts.decide(decided, {
        state: 'approved',
        at: now(),
        by: who.kind,
        through: throughOf(who),
        reason: null,
        post: entry.post.id,
      });
      if (!won) throw new WatsError('decided', `draft ${id} was decided already`);
      stored.push(entry);
      return entry.post.id;
    });
    intake.announce(stored);
    options.onDraft();
    return { postId };
  }

  return {
    authorOf: (who) => keys.authorOf(profileOf(who)),
    publish,
    approve,

    reject(who, id, reason) {
      demand(who, 'decide');
      const draft = decidable(drafts, id, null, now());
      const won = drafts.decide(draft, {
        state: 'rejected',
        at: now(),
        by: who.kind,
        through: throughOf(who),
        reason,
        post: null,
      });
      if (!won) throw new WatsError('decided', `draft ${id} was decided already`);
      options.onDraft();
    },

    unreject(who, id) {
      demand(who, 'decide');
      if (!drafts.unreject(id, now())) {
        throw new WatsError('decided', 'this rejection cannot be taken back any more', {
          fix: 'it expired, or a run was told of it already',
        });
      }
      options.onDraft();
    },

    announce({ title, text, tags }) {
      if (agent === null) throw new WatsError('refused', 'there is no agent to announce');
      const signed = body(agent.profile, { kind: 'announce', parent: null, title, text, tags }, false);
      const stored = intake.own(keys.sign(agent.profile, signed));
      intake.announce([stored]);
      return stored.post.id;
    },
  };
}

function throughOf(who: Principal): string {
  return who.kind === 'person' ? who.through : who.kind === 'session' ? 'mcp' : who.kind;
}

function haltedError(): WatsError {
  return new WatsError('halted', 'a guardian has ordered a halt: nothing of the agent is published', {
    fix: 'wats resume, when you have looked at it',
  });
}

/** A short stable hash of what an announce says, to see whether it changed. */
export function announceHash(text: { title: string; text: string; tags: readonly string[] }): string {
  return createHash('sha256')
    .update(JSON.stringify([text.title, text.text, text.tags]))
    .digest('hex');
}
