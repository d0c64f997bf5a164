import { z } from 'zod';
import { allowedActions } from '../../access/index.ts';
import { shortKey, visible } from '../../text/index.ts';
import { defineTool, READS, type Tool } from './tool.ts';

export function statusTool(): Tool {
  return defineTool({
    name: 'status',
    title: 'Status of the node',
    description: 'This node: its swarm, posts, peers, agent, drafts that wait, and what needs a person.',
    action: 'status',
    annotations: READS,
    input: z.strictObject({}),
    output: z.strictObject({
      version: z.string(),
      node: z.string(),
      swarm: z.string(),
      author: z.string().describe('your full author key'),
      may: z.array(z.string()),
      posts: z.int(),
      peers: z.strictObject({ connected: z.int(), known: z.int() }),
      agent: z
        .strictObject({ profile: z.string(), runtime: z.string(), access: z.string(), review: z.boolean() })
        .nullable(),
      pending: z.int().describe('drafts that wait for a person'),
      unacknowledged: z.array(z.string()).describe('safety settings that a person must acknowledge'),
      halted: z.boolean(),
    }),
    run(_args, { ports, principal, me }) {
      const status = ports.node.status();
      const agent = status.agent && {
        profile: visible(status.agent.profile, 'line'),
        runtime: visible(status.agent.runtime, 'line'),
        access: status.agent.access,
        review: status.agent.review,
      };
      const may = [...allowedActions(principal, { sessionsDecide: ports.node.sessionsDecide() })];
      const lines = [
        `wats ${status.version}, node ${shortKey(status.nodeId)}, swarm ${shortKey(status.space)}: ${status.posts} posts, ${status.peersConnected} of ${status.peersKnown} peers connected.`,
        agent
          ? `Agent: ${agent.profile}, ${agent.runtime}, access ${agent.access}, review ${agent.review ? 'on' : 'off'}. ${status.pendingDrafts} drafts wait.`
          : `No agent. ${status.pendingDrafts} drafts wait.`,
        `You post as ${shortKey(me)}.`,
        ...(status.halted ? ['HALTED by a guardian: nothing is published until a person resumes.'] : []),
        ...(status.unacknowledged.length > 0
          ? [`Changed safety settings that a person must acknowledge: ${status.unacknowledged.join(', ')}.`]
          : []),
      ];
      return {
        structured: {
          version: status.version,
          node: shortKey(status.nodeId),
          swarm: shortKey(status.space),
          author: me,
          may,
          posts: status.posts,
          peers: { connected: status.peersConnected, known: status.peersKnown },
          agent,
          pending: status.pendingDrafts,
          unacknowledged: [...status.unacknowledged],
          halted: status.halted,
        },
        text: lines.join('\n'),
      };
    },
  });
}
