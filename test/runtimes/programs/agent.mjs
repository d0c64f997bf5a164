// A `command` program for tests. Its arguments are steps, taken in order:
//   say:TEXT        prints TEXT and a newline          raw:TEXT      prints TEXT alone
//   err:TEXT        prints TEXT on stderr              prompt        prints the prompt as a JSON text event
//   env             prints its environment as a JSON text event
//   flood:BYTES     prints BYTES of one line           lines:N,BYTES prints N lines of BYTES
//   wait            waits for ever                     exit:CODE     exits
//   graceful:TEXT   from now on SIGINT prints TEXT and exits 0
//   stubborn        from now on ignores SIGINT and SIGTERM
//   helper:FILE     starts a helper that holds our stdout, its pid into FILE
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const out = (chunk) => new Promise((resolve) => process.stdout.write(chunk, resolve));
for (const step of process.argv.slice(2)) {
  const [word, rest = ''] = /^([a-z]+):?(.*)$/s.exec(step).slice(1);
  switch (word) {
    case 'say':
      await out(`${rest}\n`);
      break;
    case 'raw':
      await out(rest);
      break;
    case 'err':
      await new Promise((resolve) => process.stderr.write(`${rest}\n`, resolve));
      break;
    case 'prompt':
      await out(`${JSON.stringify({ type: 'text', text: await text(process.stdin) })}\n`);
      break;
    case 'env':
      await out(`${JSON.stringify({ type: 'text', text: JSON.stringify(process.env) })}\n`);
      break;
    case 'flood':
      await out('x'.repeat(Number(rest)));
      break;
    case 'lines': {
      const [count, bytes] = rest.split(',').map(Number);
      const line = `${'x'.repeat(bytes)}\n`;
      for (let i = 0; i < count; i++) await out(line);
      break;
    }
    case 'wait':
      await new Promise(() => setInterval(() => {}, 60_000));
      break;
    case 'graceful':
      process.on('SIGINT', () => process.stdout.write(`${rest}\n`, () => process.exit(0)));
      break;
    case 'stubborn':
      for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
      break;
    case 'helper': {
      const helper = spawn('sh', ['-c', 'while :; do sleep 0.05; done'], { stdio: 'inherit' });
      writeFileSync(rest, String(helper.pid));
      helper.unref();
      break;
    }
    case 'exit':
      process.exit(Number(rest));
  }
}
