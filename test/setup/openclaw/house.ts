import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { COMMON_FLAGS, describeError, parseInput } from '../../../src/commands/index.ts';
import { command } from '../../../src/commands/setup-openclaw.ts';
import { exitCodeOf } from '../../../src/errors/index.ts';
import { machineAt, type Outcome, type TestMachine } from '../support/machine.ts';

export type Json = Record<string, unknown>;

/** A machine with a recording `openclaw` and, when a test starts it, a gateway that obeys the same settings. */
export interface OpenclawHouse {
  readonly machine: TestMachine;
  readonly configPath: string;
  /** Runs `wats setup openclaw`; with answers, on a terminal whose questions they answer in order. */
  setup(line: readonly string[], answers?: readonly string[]): Promise<Outcome>;
  config(): Json;
  text(): string;
  calls(): readonly { readonly args: readonly string[]; readonly input: string }[];
  /** Calls that change something. */
  writes(): readonly string[];
  /** Makes calls that begin so fail; `after`: once they have written. */
  fault(
    prefix: string,
    how?: { code?: number; stderr?: string; stdout?: string; after?: boolean; hang?: boolean },
  ): void;
  /** A file of wats' own folder for OpenClaw. */
  own(name: string): string;
  has(name: string): boolean;
  /** @returns its address */
  gateway(how?: { readonly token?: string; readonly also?: string; readonly hooks?: 'off' }): Promise<string>;
}

export function openclawHouse(config: Json | null = {}, env: Record<string, string> = {}): OpenclawHouse {
  const root = mkdtempSync(join(tmpdir(), 'wats-openclaw-'));
  const [home, cwd, bin] = ['home', 'project', 'bin'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [home, cwd, bin, join(home, '.openclaw')]) mkdirSync(path);
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const fake = resolve(import.meta.dirname, 'fake-openclaw.mjs');
  writeFileSync(join(bin, 'openclaw'), `#!/bin/sh\nexec '${process.execPath}' '${fake}' "$@"\n`);
  chmodSync(join(bin, 'openclaw'), 0o755);
  const machine = machineAt({ root, home, cwd, path: `${bin}:/usr/bin:/bin` });
  Object.assign(machine.context.env, env);
  const configPath = join(home, '.openclaw', 'openclaw.json');
  if (config !== null) writeFileSync(configPath, JSON.stringify(config), { mode: 0o600 });
  const faults: Json = {};
  const calls: OpenclawHouse['calls'] = () =>
    existsSync(join(home, 'calls.jsonl'))
      ? readFileSync(join(home, 'calls.jsonl'), 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as { args: string[]; input: string })
      : [];
  const READS = /^(--version|config (file|validate|get)|mcp (show|probe)|config patch --stdin --dry-run)/;
  return {
    machine,
    configPath,
    setup: (line, answers) => run(machine, line, answers),
    config: () => JSON.parse(readFileSync(configPath, 'utf8')) as Json,
    text: () => readFileSync(configPath, 'utf8'),
    calls,
    writes: () =>
      calls()
        .map(({ args }) => args.join(' '))
        .filter((line) => !READS.test(line)),
    fault(prefix, how = {}) {
      faults[prefix] = how;
      writeFileSync(join(home, 'faults.json'), JSON.stringify(faults));
    },
    own: (name) => readFileSync(join(machine.dir, 'openclaw', name), 'utf8').trim(),
    has: (name) => existsSync(join(machine.dir, 'openclaw', name)),
    async gateway(how = {}) {
      const server = createServer(async (request, response) => {
        const body = await text(request);
        const hooks = (JSON.parse(readFileSync(configPath, 'utf8')) as { hooks?: Json }).hooks ?? {};
        const path = String(hooks['path'] ?? '/hooks');
        if (how.hooks === 'off' || hooks['enabled'] !== true || request.url !== `${path}/agent`)
          return void response.writeHead(404).end('Not Found');
        const token = request.headers.authorization?.slice('Bearer '.length);
        if (token !== (how.token ?? hooks['token']) && token !== how.also)
          return void response.writeHead(401).end('Unauthorized');
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({ ok: false, error: body === '{}' ? 'message required' : 'a turn was asked for' }),
        );
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      onTestFinished(() => {
        server.closeAllConnections();
        server.close();
      });
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
  };
}

async function run(
  machine: TestMachine,
  line: readonly string[],
  answers?: readonly string[],
): Promise<Outcome> {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const left = [...(answers ?? [])];
  let out = '';
  let err = '';
  if (answers !== undefined)
    for (const stream of Object.values(streams)) Object.assign(stream, { isTTY: true });
  streams.stdout.on('data', (chunk) => {
    out += chunk;
    // A question waits at the end of its line.
    if (answers === undefined || !/[\])?:] $/.test(out)) return;
    const answer = left.shift();
    if (answer === undefined) throw new Error(`a question too many: ${out.split('\n').at(-1)}`);
    out += `${answer}\n`;
    streams.stdin.write(`${answer}\n`);
  });
  streams.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const code = await command
    .run(parseInput(line, { ...command.flags, ...COMMON_FLAGS }), { ...machine.context, ...streams })
    .catch((error: unknown) => {
      streams.stderr.write(`${describeError(error)}\n`);
      return exitCodeOf(error);
    });
  await new Promise((done) => setImmediate(done));
  if (left.length > 0) throw new Error(`nobody asked for: ${left.join(', ')}\n${out}${err}`);
  return { code, out, err };
}
