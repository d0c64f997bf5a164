// A family for tests. Usage: node tree.mjs <pid file> [stubborn] [child | session-mate | runaway]…
// It starts the helpers named, writes {"self": pid, "<helper>": pid} to the file once all of them run, and waits.
//   stubborn      this process and its helpers ignore SIGTERM and SIGINT
//   child         a helper in our process group
//   session-mate  a helper in a process group of its own, in our session (as codex starts its MCP servers)
//   runaway       a helper in a session of its own: only its environment tells whose it is
import { spawn } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';

const [file, ...words] = process.argv.slice(2);
if (words.includes('stubborn')) for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {});
const ignoring = words.includes('stubborn') ? "trap '' TERM INT; " : '';
const script = `${ignoring}while :; do sleep 0.05; done`;
const start = {
  child: () => spawn('sh', ['-c', script], { stdio: 'ignore' }),
  // An interactive-style shell gives its background job a process group of its own within the session.
  'session-mate': () => spawn('bash', ['-c', `set -m; (${script}) & wait`], { stdio: 'ignore' }),
  runaway: () => spawn('sh', ['-c', script], { stdio: 'ignore', detached: true }),
};
const pids = { self: process.pid };
for (const word of words) if (start[word]) pids[word] = start[word]().pid;
writeFileSync(`${file}.tmp`, JSON.stringify(pids));
renameSync(`${file}.tmp`, file);
setInterval(() => {}, 60_000);
