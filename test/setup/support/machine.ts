import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import {
  COMMANDS,
  COMMON_FLAGS,
  type Context,
  describeError,
  parseInput,
} from '../../../src/commands/index.ts';
import { exitCodeOf } from '../../../src/errors/index.ts';

/** A machine of a test's own: a home, a PATH, a project, a data directory. */
export interface TestMachine {
  readonly home: string;
  readonly cwd: string;
  readonly dir: string;
  readonly context: Context;
  /** Runs a command as the program would. */
  run(line: readonly string[], how?: Partial<Context> & { answer?: string }): Promise<Outcome>;
  /** What a fake program was called with, without looks at version and login. */
  changes(program: 'claude' | 'codex'): readonly string[][];
  /** A file in the home directory. */
  read(path: string): string;
  write(path: string, text: string): void;
  remove(): void;
}

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export function testMachine(programs: readonly ('claude' | 'codex')[] = ['claude', 'codex']): TestMachine {
  const root = mkdtempSync(join(tmpdir(), 'wats-setup-'));
  const [home, cwd, bin] = ['home', 'project', 'bin'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [home, cwd, bin]) mkdirSync(path);
  for (const program of programs) {
    const fake = resolve(import.meta.dirname, `fake-${program}.mjs`);
    writeFileSync(join(bin, program), `#!/bin/sh\nexec '${process.execPath}' '${fake}' "$@"\n`);
    chmodSync(join(bin, program), 0o755);
  }
  return machineAt({ root, home, cwd, path: `${bin}:/usr/bin:/bin` });
}

export function machineAt(at: {
  readonly root: string;
  readonly home: string;
  readonly cwd: string;
  readonly path: string;
}): TestMachine {
  const { home, cwd } = at;
  const context: Context = {
    argv: [],
    env: { HOME: home, PATH: at.path, LANG: 'C.UTF-8' },
    home,
    user: 'ada',
    uid: process.getuid?.() ?? 0,
    platform: 'linux',
    cwd,
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    now: Date.now,
    version: '0.0.0',
    self: { node: '/opt/node/bin/node', script: '/opt/wats/bin/wats.js' },
  };
  return {
    home,
    cwd,
    dir: join(home, '.local/share/wats'),
    context,
    async run(line, { answer, ...how } = {}) {
      const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
      if (answer !== undefined) {
        for (const stream of Object.values(streams)) Object.assign(stream, { isTTY: true });
        streams.stdin.write(`${answer}\n`);
      }
      let out = '';
      let err = '';
      streams.stdout.on('data', (chunk) => {
        out += chunk;
      });
      streams.stderr.on('data', (chunk) => {
        err += chunk;
      });
      const entry = COMMANDS.find(({ name }) => name === line[0]);
      if (entry === undefined) throw new Error(`no command ${line[0]}`);
      const { command } = await entry.load();
      const code = await command
        .run(parseInput(line.slice(1), { ...command.flags, ...COMMON_FLAGS }), {
          ...context,
          ...streams,
          ...how,
        })
        .catch((error: unknown) => {
          streams.stderr.write(`${describeError(error)}\n`);
          return exitCodeOf(error);
        });
      await new Promise((done) => setImmediate(done));
      return { code, out, err };
    },
    changes(program) {
      const log = join(home, `${program}.calls`);
      if (!existsSync(log)) return [];
      return readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text) as string[])
        .filter(([group]) => group === 'mcp');
    },
    read: (path) => readFileSync(join(home, path), 'utf8'),
    write(path, text) {
      mkdirSync(join(home, path, '..'), { recursive: true, mode: 0o700 });
      writeFileSync(join(home, path), text);
    },
    remove: () => rmSync(at.root, { recursive: true, force: true }),
  };
}
