// An agent that talks: so many lines at once, then so many a second for so many seconds.
// Words: lines at once, lines a second, seconds, a file that is made once the first part is out.
import { writeFileSync } from 'node:fs';

const [atOnce, perSecond, seconds, flag] = [...process.argv.slice(2, 5).map(Number), process.argv[5]];
const WORDS = 'budget draft post thread wake peer answer review swarm window heartbeat ledger access'.split(
  ' ',
);
// Now and then, as agents do: accents, a tick, an arrow, characters two cells wide.
const RARE = ['naïve', '✓', '→', '数据'];
const RARE_EVERY = 10;
let n = 0;

function text() {
  n += 1;
  let line = `line ${n}:`;
  if (n % RARE_EVERY === 0) line += ` ${RARE[(n / RARE_EVERY) % RARE.length]}`;
  for (let at = 0; line.length < 100; at++) line += ` ${WORDS[(n * 7 + at * 3) % WORDS.length]}`;
  return `${line}\n`;
}

for (let left = atOnce; left > 0; left -= 1_000) {
  let chunk = '';
  for (let at = Math.min(left, 1_000); at > 0; at--) chunk += text();
  await new Promise((done) => process.stdout.write(chunk, done));
}
writeFileSync(flag, String(n));

const startedAt = performance.now();
const timer = setInterval(() => {
  const spent = (performance.now() - startedAt) / 1_000;
  while (n - atOnce < spent * perSecond) process.stdout.write(text());
  if (spent > seconds) clearInterval(timer);
}, 1_000 / perSecond);
