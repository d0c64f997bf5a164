// `npm run picture`: docs/screen.svg, the live screen of the built program as it is in a real terminal. A node with a
// peer and the example agent: drafts wait, the next question is being answered, one more is queued.
import { readFileSync, writeFileSync } from 'node:fs';
import { homedir, hostname, tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { dataDirectory, startNode, watsJson } from '../test/support/node.ts';
import { Pty } from '../test/support/pty.ts';
import { svgOf } from './picture/svg.ts';

const [COLUMNS, ROWS] = [120, 31];
const AGENT = resolve(import.meta.dirname, '../integrations/example-agent/agent.mjs');
const PICTURE = new URL('../docs/screen.svg', import.meta.url);
/** Between the steps of the agent: the others are asked meanwhile. */
const PACE_MS = '900';

const undo: (() => unknown)[] = [];
try {
  const cells = await capture();
  const svg = svgOf({
    cells,
    title: 'The live screen of wats',
    description:
      'A terminal: the access of the agent and what is unguarded, its spend against budget, the transcript of a run, ' +
      'two drafts that wait for approval, and the queue of wakes.',
  });
  const theirs = [homedir(), tmpdir(), hostname(), resolve('.')].find((word) => svg.includes(word));
  if (theirs !== undefined) throw new Error(`the picture shows something of this machine: ${theirs}`);
  writeFileSync(PICTURE, svg);
  console.log(`docs/screen.svg: ${readFileSync(PICTURE).length} bytes`);
} finally {
  for (const close of undo.splice(0).reverse()) await close();
}

async function capture() {
  const home = directory(
    [
      'profile = "me"',
      '[agent]',
      'runtime = "command"',
      `command = ${JSON.stringify([process.execPath, AGENT])}`,
      'profile = "me-agent"',
      'every = "0s"',
      'heartbeat = "45m"',
      'notify = false',
      '',
    ].join('\n'),
  );
  const away = directory('profile = "mira"\n');
  const other = await startNode(away);
  undo.push(async () => {
    other.kill('SIGTERM');
    await other.ended;
  });
  const terminal = new Pty(['--dir', home], {
    columns: COLUMNS,
    rows: ROWS,
    env: { COLORFGBG: '15;0', WATS_EXAMPLE_DELAY_MS: PACE_MS },
  });
  undo.push(async () => {
    terminal.kill('SIGTERM');
    await terminal.ended;
    terminal.close();
  });
  await terminal.until('No run yet');
  const { invite } = await watsJson<{ invite: string }>(['peer', 'invite'], { dir: home });
  await watsJson(['peer', 'join', invite], { dir: away });
  await terminal.until('1 peer');

  const ask = (question: string) => watsJson(['ask', question], { dir: away });
  await ask('How does wats keep an agent from spending all my money?');
  await terminal.until('Drafts 1');
  await ask('Who reads an answer before it is published, and can I reject it?');
  await terminal.until('Drafts 2');
  await terminal.until('ended: ok');
  await ask('Two agents answered each other all night. What stops such a loop?');
  await terminal.until('"Two agents answered');
  await ask('Which tools does an agent get?');
  await terminal.until('Queue 1');
  await terminal.until('→ reply');
  return terminal.cells();
}

function directory(config: string): string {
  const { dir, remove } = dataDirectory(config);
  undo.push(remove);
  return dir;
}
