import { randomUUID } from 'node:crypto';
import { type ControlClient, connectControl } from '../../control/index.ts';
import type { Daemon } from '../../daemon/index.ts';
import { WatsError } from '../../errors/index.ts';
import { shortId } from '../../text/index.ts';
import type { Described, Listed } from './post-output.ts';

export interface DemoStep {
  readonly step: 'asked' | 'woken' | 'run' | 'draft' | 'approved' | 'answered';
  /** Id of the post, the run or the draft. */
  readonly id: string;
  /** Since the demo began, milliseconds. */
  readonly ms: number;
  readonly says: string;
}

/** How long an unattended step may take before the demo has failed. */
const PATIENCE_MS = 60_000;

export interface LoopOptions {
  readonly answering: Daemon;
  readonly socketOf: (name: 'asking' | 'answering') => string;
  readonly question: string;
  /** Approve the draft by itself; otherwise a person does, and may take as long as they like. */
  readonly approve: boolean;
  readonly onStep: (step: DemoStep) => void;
}

/**
 * Asks on one node and follows what happens until the answer is read there.
 * @throws WatsError `failed` when a step does not come, or the answer is not what was approved
 */
export async function followLoop(options: LoopOptions): Promise<void> {
  const { answering, approve } = options;
  const startedAt = performance.now();
  const step = (name: DemoStep['step'], id: string, says: string): void => {
    options.onStep({ step: name, id, ms: Math.round(performance.now() - startedAt), says });
  };
  const asker = await connectControl(options.socketOf('asking'));
  const answerer = await connectControl(options.socketOf('answering'));
  try {
    await until(
      approve,
      'the two nodes did not connect',
      async () => (await connected(asker)) && (await connected(answerer)),
    );
    const woken = nextWake(answering);
    const run = nextRun(answering);
    const ask = await (await asker.watch()).send(randomUUID(), {
      do: 'post',
      kind: 'ask',
      parent: null,
      title: '',
      text: options.question,
      tags: [],
    });
    if (!ask.ok || ask.postId === undefined)
      throw new WatsError('failed', `the ask was not posted: ${ask.text}`);
    const { postId: question } = ask;
    step('asked', question, `on the first node: "${options.question}"`);
    step('woken', await woken, 'the other node received it, and it wakes the agent');
    step('run', await run, 'the example agent runs');

    const draft = await until(approve, 'no draft came', async () =>
      answering.controls.view().drafts.rows.find((row) => row.to?.id === question),
    );
    step('draft', draft.id, `held for review: "${draft.excerpt}"`);
    if (approve) await approveDraft(answering, draft.id, step);

    const agentKey = await agentAuthor(answerer);
    const answer = await until(approve, 'the answer did not come back', async () =>
      answerTo(asker, question),
    );
    if (answer.author !== agentKey)
      throw new WatsError('failed', 'the answer is not signed by the key of the agent');
    if (!approve) step('approved', answer.id, 'published by you');
    step('answered', answer.id, `the first node read it, signed by the agent ${shortId(agentKey)}`);
  } finally {
    asker.close();
    answerer.close();
  }
}

async function approveDraft(
  answering: Daemon,
  id: string,
  step: (name: 'approved', id: string, says: string) => void,
): Promise<void> {
  const page = await answering.controls.page({ page: 'draft', id });
  const result = await answering.controls.send(randomUUID(), {
    do: 'approve',
    draft: id,
    sha256: page.sha256,
  });
  if (!result.ok || result.postId === undefined)
    throw new WatsError('failed', `the draft was not approved: ${result.text}`);
  step('approved', result.postId, 'approved, signed, published');
}

async function connected(client: ControlClient): Promise<boolean> {
  const peers = (await client.call('peer.list')) as { state: string }[];
  return peers.some((peer) => peer.state === 'connected');
}

async function agentAuthor(client: ControlClient): Promise<string> {
  const profiles = (await client.call('profiles')) as { author: string; profile: string }[];
  const found = profiles.find(({ profile }) => profile === 'demo-agent');
  if (found === undefined) throw new WatsError('failed', 'the answering node has no agent');
  return found.author;
}

async function answerTo(client: ControlClient, question: string): Promise<Described | undefined> {
  const { thread } = (await client.call('read', { id: question, limit: 50 })) as { thread: Listed };
  return thread.posts.find((post) => post.parent === question && post.kind === 'answer');
}

function nextWake(daemon: Daemon): Promise<string> {
  return new Promise((resolve) => {
    daemon.onOccurrence((occurrence) => {
      if (occurrence.type === 'woken') resolve(occurrence.post);
    });
  });
}

function nextRun(daemon: Daemon): Promise<string> {
  return new Promise((resolve) => {
    daemon.onOccurrence((occurrence) => {
      if (occurrence.type === 'run_spawned') resolve(occurrence.run);
    });
  });
}

/** Asks again until there is an answer; unattended, only for so long. */
async function until<T>(
  hurried: boolean,
  failure: string,
  ask: () => Promise<T | undefined | false>,
): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await ask();
    if (found !== undefined && found !== false) return found;
    if (hurried && performance.now() > deadline)
      throw new WatsError('failed', `the demo stopped: ${failure}`, {
        fix: 'run it again with --once and look at what it prints',
      });
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}
