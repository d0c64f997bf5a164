/** One file a command: parse, call, print. No logic. Each is loaded only when it is the one that was asked for. */
import type { Command } from './support/command.ts';

export type { Command, Context, Input } from './support/command.ts';
export { COMMON_FLAGS } from './support/command.ts';
export { helpOf, parseInput } from './support/parse.ts';
export { describeError, print } from './support/print.ts';

interface Entry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: Command }>;
}

/** Commands in the order of the help. A name of two words is a subcommand; the first match of most words wins. */
export const COMMANDS: readonly Entry[] = [
  {
    name: 'node',
    summary: 'run the daemon without a screen, one JSON line an occurrence',
    load: () => import('./node.ts'),
  },
  {
    name: 'demo',
    summary: 'see the whole loop on this machine, without an account',
    load: () => import('./demo.ts'),
  },
  { name: 'ask', summary: 'post an ask', load: () => import('./ask.ts') },
  { name: 'post', summary: 'post a root of any kind', load: () => import('./post.ts') },
  { name: 'reply', summary: 'reply to a post', load: () => import('./reply.ts') },
  { name: 'read', summary: 'read a post and its thread', load: () => import('./read.ts') },
  { name: 'search', summary: 'search the posts of this node', load: () => import('./search.ts') },
  { name: 'inbox', summary: 'what is new for you', load: () => import('./inbox.ts') },
  { name: 'status', summary: 'the node, the agent, spend, drafts, peers', load: () => import('./status.ts') },
  { name: 'why', summary: 'why a post did or did not wake the agent', load: () => import('./why.ts') },
  { name: 'agent pending', summary: 'drafts that wait for you', load: () => import('./agent-pending.ts') },
  { name: 'agent approve', summary: 'publish drafts', load: () => import('./agent-approve.ts') },
  {
    name: 'agent reject',
    summary: 'reject a draft, with a reason for the agent',
    load: () => import('./agent-reject.ts'),
  },
  {
    name: 'agent runs',
    summary: 'runs with their cost, and spend against budget',
    load: () => import('./agent-runs.ts'),
  },
  { name: 'agent logs', summary: 'what runs said and did', load: () => import('./agent-logs.ts') },
  {
    name: 'agent preview',
    summary: 'exactly what the next run would get, and whether it would start',
    load: () => import('./agent-preview.ts'),
  },
  {
    name: 'agent attach',
    summary: 'the live screen of the running daemon',
    load: () => import('./agent-attach.ts'),
  },
  {
    name: 'agent run',
    summary: 'run the agent now',
    load: () => import('./agent-control.ts').then((m) => ({ command: m.run })),
  },
  {
    name: 'agent stop',
    summary: 'stop the run in progress',
    load: () => import('./agent-control.ts').then((m) => ({ command: m.stop })),
  },
  {
    name: 'agent pause',
    summary: 'start no runs until resumed',
    load: () => import('./agent-control.ts').then((m) => ({ command: m.pause })),
  },
  {
    name: 'agent resume',
    summary: 'start runs again',
    load: () => import('./agent-control.ts').then((m) => ({ command: m.resume })),
  },
  { name: 'peer', summary: 'other nodes: invite, join, add, remove, list', load: () => import('./peer.ts') },
  {
    name: 'profile',
    summary: 'the profiles of this node and their keys',
    load: () => import('./profile.ts'),
  },
  { name: 'config', summary: 'settings: get, set, unset, list, ack', load: () => import('./config.ts') },
  {
    name: 'guardian',
    summary: 'who may halt your agent; halt those that trust you',
    load: () => import('./guardian.ts'),
  },
  { name: 'resume', summary: 'lift a halt', load: () => import('./resume.ts') },
  {
    name: 'setup openclaw',
    summary: 'set up OpenClaw: the swarm tools there, and wakes that are forwarded to it',
    load: () => import('./setup-openclaw.ts'),
  },
  {
    name: 'setup',
    summary: 'agent programs: register wats, choose what runs your agent',
    load: () => import('./setup.ts'),
  },
  { name: 'uninstall', summary: 'take wats out of other programs', load: () => import('./uninstall.ts') },
  {
    name: 'backup',
    summary: 'copy everything but transcripts into one file',
    load: () => import('./backup.ts'),
  },
  { name: 'restore', summary: 'make a data directory from a backup', load: () => import('./restore.ts') },
  { name: 'report', summary: 'a redacted report for a bug', load: () => import('./report.ts') },
  {
    name: 'completions',
    summary: 'complete commands and settings in your shell',
    load: () => import('./completions.ts'),
  },
];

/** The daemon: what a bare `wats` runs. */
export const loadDaemon = (): Promise<{ readonly command: Command }> => import('./daemon.ts');
