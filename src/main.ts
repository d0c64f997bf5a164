import { homedir, userInfo } from 'node:os';
import manifest from '../package.json' with { type: 'json' };
import {
  COMMANDS,
  COMMON_FLAGS,
  type Command,
  type Context,
  describeError,
  helpOf,
  loadDaemon,
  parseInput,
  print,
} from './commands/index.ts';
import { exitCodeOf, WatsError } from './errors/index.ts';
import { nearest } from './text/index.ts';

process.exitCode = await main(process.argv.slice(2));

/** From argv to one command; loads only that command's code. */
async function main(argv: readonly string[]): Promise<number> {
  const context = surroundings();
  // A reader that went away (`wats search … | head`) is no failure of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  try {
    if (argv[0] === '--version' || argv[0] === '-V') {
      print(context.stdout, `wats ${context.version}`);
      return 0;
    }
    const { command, rest } = await choose(argv);
    if (command === null) {
      print(context.stdout, overview());
      return 0;
    }
    const flags = { ...command.flags, ...COMMON_FLAGS };
    const input = parseInput(rest, flags);
    if (input.on('help')) {
      print(context.stdout, helpOf({ ...command, flags }));
      return 0;
    }
    return await command.run(input, context);
  } catch (error) {
    print(context.stderr, describeError(error));
    return exitCodeOf(error);
  }
}

async function choose(
  argv: readonly string[],
): Promise<{ command: Command | null; rest: readonly string[] }> {
  const [first, second] = argv;
  if (first === undefined) return { command: (await loadDaemon()).command, rest: [] };
  if (first === '--help' || first === '-h' || first === 'help') return { command: null, rest: [] };
  if (first.startsWith('-')) return { command: (await loadDaemon()).command, rest: argv };
  const double = COMMANDS.find((entry) => entry.name === `${first} ${second}`);
  if (double) return { command: (await double.load()).command, rest: argv.slice(2) };
  const single = COMMANDS.find((entry) => entry.name === first);
  if (single) return { command: (await single.load()).command, rest: argv.slice(1) };
  throw unknownCommand(first, second);
}

function unknownCommand(first: string, second: string | undefined): WatsError {
  const under = COMMANDS.filter((entry) => entry.name.startsWith(`${first} `)).map((entry) =>
    entry.name.slice(first.length + 1),
  );
  if (under.length > 0) {
    const near = second === undefined ? undefined : nearest(second, under);
    const what =
      second === undefined
        ? `wats ${first} needs a subcommand`
        : `there is no command "wats ${first} ${second}"`;
    return new WatsError('usage', what, {
      fix: near === undefined ? `one of: ${under.join(', ')}` : `did you mean "wats ${first} ${near}"?`,
    });
  }
  const near = nearest(first, [...new Set(COMMANDS.map((entry) => entry.name.split(' ')[0] ?? ''))]);
  return new WatsError('usage', `there is no command "wats ${first}"`, {
    fix: near === undefined ? 'see "wats --help"' : `did you mean "wats ${near}"?`,
  });
}

function overview(): string {
  const width = Math.max(...COMMANDS.map((entry) => entry.name.length));
  return [
    'wats wakes your AI agents when a post on their swarm needs them,',
    'bounded by budgets, held for your review, live in one terminal.',
    '',
    'Usage: wats [options]            the daemon, with its live screen on a terminal',
    '       wats COMMAND [options]    see "wats COMMAND --help"',
    '',
    ...COMMANDS.map((entry) => `  ${entry.name.padEnd(width)}  ${entry.summary}`),
    `  ${'mcp'.padEnd(width)}  the stdio entry for MCP hosts`,
    '',
    'Exit codes: 0 done, 1 failed, 2 usage or a bad setting, 3 no daemon, 75 try again later.',
  ].join('\n');
}

function surroundings(): Context {
  return {
    env: process.env,
    home: process.env['HOME'] || homedir(),
    user: userInfo().username,
    uid: userInfo().uid,
    platform: process.platform,
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    now: Date.now,
    version: manifest.version,
    argv: process.argv.slice(2),
    self: { node: process.execPath, script: process.argv[1] ?? '' },
  };
}
