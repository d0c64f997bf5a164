import { may, type Principal } from '../access/index.ts';
import { WatsError } from '../errors/index.ts';
import type { Stored } from '../intake/index.ts';
import { contentHash, decidable, draftId, type HeldDraft } from '../review/index.ts';
import { isWritable, LOCAL_SPACE, type PostBody } from '../swarm/index.ts';
import { createComposer } from './compose.ts';
import type { Parent, Publisher, PublishOptions, PublishRequest, PublishResult } from './contract.ts';
import { createPace } from './pace.ts';
import { checkReason, checkRequestId, haltedError, requestHash, throughOf } from './rules.ts';

/** @throws never by itself; see {@link Publisher} */
export function createPublisher<D extends HeldDraft>(options: PublishOptions<D>): Publisher {
  const { keys, intake, ledger, drafts, agent, now } = options;
  const compose = createComposer(options);
  const pace = createPace();

  function demand(who: Principal, action: 'post' | 'reply' | 'decide' | 'manage'): void {
    if (!may(who, action, options.policy))
      throw new WatsError('forbidden', `this connection may not ${action}`);
  }

  /** Whatever comes from a run, or has the agent's key, is the agent's, whichever door it came through. */
  const isAgents = (who: Principal, author: string): boolean =>
    who.kind === 'run' ||
    who.kind === 'forwarded' ||
    (agent !== null && author === keys.authorOf(agent.profile));

  /** The run that writes: of the socket's own, or the one in flight on the other side. */
  function runOf(who: Principal, target: Parent | null): string | null {
    if (who.kind === 'run') return who.runId;
    if (who.kind !== 'forwarded') return null;
    return (
      options.forwardedRun?.(target === null ? null : (target.thread ?? target.root ?? target.id)) ?? null
    );
  }

  function publish(who: Principal, request: PublishRequest): PublishResult {
    demand(who, request.parent === null ? 'post' : 'reply');
    if (!isWritable(request.kind))
      throw new WatsError('invalid_post', 'this kind is not for tools or people to post');
    checkRequestId(request.requestId);
    const profile = compose.profileOf(who);
    const author = keys.authorOf(profile);
    const agents = isAgents(who, author);
    // A caller may name the start of an id; what is written down names the post.
    const target = request.parent === null ? null : options.parentOf(request.parent);
    const run = runOf(who, target);
    const content = { ...request, parent: target?.id ?? null };
    const argsHash = requestHash(content);
    const stored: Stored[] = [];

    const result = ledger.atomically((): PublishResult => {
      const first = repeated(author, run, content, argsHash);
      if (first !== null) return first;
      if (agents && options.halted()) throw haltedError();
      const body = compose.body(profile, content, target, request.local ?? false);
      if (who.kind !== 'person') pace(author, now());
      const done: PublishResult =
        agents && options.review
          ? { state: 'held', draft: hold(profile, body, run), repeated: false }
          : post(profile, body, stored);
      ledger.record({
        agent: agents ? (agent?.name ?? null) : null,
        run,
        author,
        tool: target === null ? 'post' : 'reply',
        request: request.requestId,
        argsHash,
        kind: content.kind,
        parent: content.parent,
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

  function post(profile: string, body: PostBody, stored: Stored[]): PublishResult {
    const entry = intake.own(keys.sign(profile, body));
    stored.push(entry);
    return { state: 'posted', id: entry.post.id, repeated: false };
  }

  function hold(profile: string, body: PostBody, run: string | null): string {
    const id = draftId(options.random);
    const { author, space, root, kind, parent, title, text, tags } = body;
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
      sha256: contentHash(body),
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
      const content = { ...draft, text: edited ?? draft.text };
      const target = draft.parent === null ? null : options.parentOf(draft.parent);
      const body = compose.body(draft.profile, content, target, draft.space === LOCAL_SPACE);
      if (body.space !== draft.space) {
        throw new WatsError('changed', `draft ${id} was written for another swarm than this node is in now`, {
          fix: 'reject it',
        });
      }
      const entry = intake.own(keys.sign(draft.profile, body));
      decide(
        who,
        { ...draft, text: content.text, sha256: contentHash(content) },
        'approved',
        null,
        entry.post.id,
      );
      stored.push(entry);
      return entry.post.id;
    });
    intake.announce(stored);
    options.onDraft();
    return { postId };
  }

  function decide(
    who: Principal,
    draft: D,
    state: 'approved' | 'rejected',
    reason: string | null,
    post: string | null,
  ): void {
    const decision = { state, at: now(), by: who.kind, through: throughOf(who), reason, post };
    if (!drafts.decide(draft, decision))
      throw new WatsError('decided', `draft ${draft.id} was decided already`);
  }

  return {
    authorOf: (who) => keys.authorOf(compose.profileOf(who)),
    publish,
    approve,

    reject(who, id, reason) {
      demand(who, 'decide');
      checkReason(reason);
      decide(who, decidable(drafts, id, null, now()), 'rejected', reason, null);
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
      if (options.halted()) throw haltedError();
      const content = { kind: 'announce', parent: null, title, text, tags };
      const stored = intake.own(keys.sign(agent.profile, compose.body(agent.profile, content, null, false)));
      intake.announce([stored]);
      return stored.post.id;
    },

    order(who, order) {
      demand(who, 'manage');
      const profile = compose.profileOf(who);
      const target = order.kind === 'halt' ? null : options.parentOf(order.halt);
      const text = order.kind === 'halt' ? order.reason : '';
      // Two halts with the same words in the same second are two: the second must hold when the first was lifted.
      const tags = order.kind === 'halt' ? [`order:${Buffer.from(options.random(4)).toString('hex')}`] : [];
      const content = { kind: order.kind, parent: target?.id ?? null, title: '', text, tags };
      const stored = intake.own(keys.sign(profile, compose.body(profile, content, target, false)));
      intake.announce([stored]);
      return stored.post.id;
    },
  };
}
