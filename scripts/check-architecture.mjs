// Holds the arrows of the house: which room may import which, and only through its door (index.ts).
// The table is the one of docs/architecture.md; a new arrow is a decision, not an accident.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(new URL('..', import.meta.url).pathname);

/** room → rooms it may import. `errors`, `paths` and the types of `swarm` are free to all and need no entry. */
const MAY = {
  errors: [],
  paths: [],
  swarm: [],
  text: [],
  config: [],
  access: [],
  budget: [],
  schedule: [],
  processes: [],
  keys: ['swarm'],
  store: ['swarm'],
  waking: ['swarm'],
  intake: ['swarm', 'store'],
  publish: ['intake', 'keys', 'review', 'access', 'swarm'],
  sync: ['swarm', 'store'],
  prompt: ['swarm', 'text'],
  transcripts: ['swarm', 'text'],
  review: ['swarm', 'text'],
  runner: ['waking', 'budget', 'schedule', 'prompt', 'swarm'],
  runtimes: ['processes', 'text'],
  mcp: ['access', 'text'],
  control: ['access', 'text'],
  notify: ['processes', 'text'],
  setup: ['processes', 'text', 'config'],
  components: ['control', 'text'],
  daemon: '*',
  commands: '*',
};
/** The door of a room that has a second one, for a process or a thread of its own. */
const DOORS = ['index.ts', 'index.tsx'];
/** Entry points of bundles: they belong to their room. */
const TYPE_ONLY_FREE = { components: ['control'], runner: ['runtimes'], control: ['runtimes'] };

/** Files in which a process begins: what surrounds it goes from there to others as arguments. */
const ENTRIES = ['src/main.ts', 'src/mcp/bridge-main.ts'];
/** Rooms without a clock and without chance: a decision is the same whenever it is made again. */
const TIMELESS = [
  ...['swarm', 'text', 'config', 'access', 'budget', 'schedule', 'waking', 'prompt', 'review', 'runner'],
  ...['transcripts', 'components'],
];

const problems = [];
for (const file of [...walk('src'), ...walk('components')]) {
  const from = roomOf(file);
  const source = readFileSync(join(root, file), 'utf8');
  checkSurroundings(file, from, source);
  for (const { specifier, typeOnly, line } of importsOf(source)) {
    if (!specifier.startsWith('.')) {
      checkPackage(file, from, specifier, line);
      continue;
    }
    const target = relative(root, resolve(root, dirname(file), specifier));
    if (target.startsWith('..') || target === 'package.json') continue;
    const to = roomOf(target);
    if (to === from) continue;
    if (to === 'main') report(file, line, 'nobody imports main.ts');
    const door = target
      .split('/')
      .slice(to === 'components' ? 1 : 2)
      .join('/');
    if (!DOORS.includes(door))
      report(file, line, `imports ${target}: only the door of ${to}/ (index.ts) may be imported`);
    if (from === 'main') continue;
    if (to === 'errors' || to === 'paths' || (to === 'swarm' && typeOnly)) continue;
    if (typeOnly && TYPE_ONLY_FREE[from]?.includes(to)) continue;
    if (from === 'components' && to === 'control' && !typeOnly)
      report(file, line, 'components know only the types of control');
    const allowed = MAY[from];
    if (allowed === undefined) report(file, line, `${from}/ is no room of the house`);
    else if (allowed !== '*' && !allowed.includes(to)) report(file, line, `${from}/ may not import ${to}/`);
    if (to === 'daemon' && from !== 'commands') report(file, line, 'nobody but commands imports daemon/');
    if (to === 'commands') report(file, line, 'nobody imports commands/');
  }
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  console.error(`\narchitecture: ${problems.length} problem(s)`);
  process.exit(1);
}
console.log('architecture: every arrow is allowed');

/** Rules about packages: SQL lives in store, the network engine in sync, Ink in components. */
function checkPackage(file, from, specifier, line) {
  const only = [
    [/^better-sqlite3$/, ['store'], 'the only room that knows SQL is store/'],
    [
      /^(libp2p|@libp2p\/|@multiformats\/|nostr-tools)/,
      ['sync'],
      'the only room that knows the network engine is sync/',
    ],
    [/^(ink|react)(\/|$)/, ['components'], 'only components/ draws'],
    [/^@modelcontextprotocol\//, ['mcp'], 'only mcp/ speaks MCP'],
  ];
  for (const [pattern, rooms, why] of only) {
    if (pattern.test(specifier) && !rooms.includes(from)) report(file, line, `imports ${specifier}: ${why}`);
  }
}

function checkSurroundings(file, from, source) {
  const rules = [
    [
      /\bprocess\.(stdout|stderr|stdin|env|argv|cwd)\b/,
      !ENTRIES.includes(file),
      'comes as an argument: a write beside the screen tears its frame, and tests have surroundings of their own',
    ],
    [/\bhomedir\(/, !ENTRIES.includes(file), 'the home directory comes as an argument: tests have their own'],
    [
      /\b(Date\.now\(|new Date\(\)|performance\.now\(|Math\.random\()/,
      TIMELESS.includes(from),
      `${from}/ has no clock and no chance of its own: they come as arguments`,
    ],
  ];
  for (const [at, text] of source.split('\n').entries())
    for (const [pattern, holds, why] of rules) {
      const found = holds ? pattern.exec(text) : null;
      if (found !== null) report(file, at + 1, `${found[0]} ${why}`);
    }
}

function report(file, line, why) {
  problems.push(`${file}:${line}: ${why}`);
}

function roomOf(file) {
  const parts = file.split('/');
  if (parts[0] === 'components') return 'components';
  return parts.length > 2 ? parts[1] : 'main';
}

function* walk(dir) {
  for (const entry of readdirSync(join(root, dir), { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else if (/\.tsx?$/.test(entry.name)) yield path;
  }
}

/** Import and re-export statements, static and dynamic, with their line. */
function* importsOf(source) {
  const pattern =
    /(?:^|\n)\s*(import|export)\s+(type\s+)?([^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;
  for (const match of source.matchAll(pattern)) {
    const specifier = match[4] ?? match[5];
    if (match[1] === 'export' && match[3] === undefined) continue;
    const line = source.slice(0, match.index + match[0].length).split('\n').length;
    const braces = /\{([^}]*)\}/.exec(match[3] ?? '');
    const allTypes = braces?.[1].split(',').every((n) => n.trim() === '' || n.trim().startsWith('type '));
    yield {
      specifier,
      typeOnly: match[2] !== undefined || (allTypes && !/^\s*\w/.test(match[3] ?? '')),
      line,
    };
  }
}
