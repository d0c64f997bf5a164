// An agent that says that it works, waits until a file is there (the first argument), says that it is done, and ends.
import { existsSync, watch } from 'node:fs';
import { dirname } from 'node:path';

const [file] = process.argv.slice(2);
const say = (text) => process.stdout.write(`${JSON.stringify({ type: 'text', text })}\n`);

process.on('SIGINT', () => {
  say('I was interrupted.');
  process.exit(130);
});
say('I am at work.');
const done = () => {
  if (!existsSync(file)) return;
  say('My work is done.');
  process.exit(0);
};
watch(dirname(file), done);
done();
