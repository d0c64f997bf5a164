// Loaded into a daemon before its own code (`node --import`): writes down when it spawned a program and when it
// said what, on the system's monotonic clock, one JSON line each on descriptor 3.
import { subscribe } from 'node:diagnostics_channel';
import { writeSync } from 'node:fs';

const lines = [];
const stamp = (what) => lines.push(JSON.stringify({ ns: String(process.hrtime.bigint()), ...what }));

subscribe('tracing:child_process.spawn:end', () => stamp({ what: 'spawned' }));

const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (chunk, ...rest) => {
  const type = /"type":"([a-z_]+)"/.exec(String(chunk))?.[1];
  if (type !== undefined) stamp({ what: type });
  // Written when the run is over, so that writing costs nothing of what is measured.
  if (type === 'run_ended') writeSync(3, `${lines.splice(0).join('\n')}\n`);
  return write(chunk, ...rest);
};
