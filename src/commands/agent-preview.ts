import type { Preview } from '../daemon/index.ts';
import { usd, visible } from '../text/index.ts';
import type { Command } from './support/command.ts';
import { withDaemon } from './support/place.ts';
import { print, printJson } from './support/print.ts';

export const command: Command = {
  usage: ['wats agent preview'],
  about:
    'The exact prompt, command line, files, permissions and names of environment variables that the next run would get, ' +
    'and whether it would start now and why not. Costs nothing.',
  flags: { json: { type: 'boolean', help: 'print JSON instead of text' } },
  async run(input, context) {
    const preview = (await withDaemon(input, context, (client) => client.call('preview'))) as Preview;
    if (input.on('json')) {
      printJson(context, preview);
      return 0;
    }
    const out = (text: string): void => print(context.stdout, text);
    out(
      preview.starts
        ? 'A run would start now.'
        : `No run would start now: ${visible(preview.because ?? '', 'line')}`,
    );
    out('');
    out(`access   ${preview.access}: ${preview.opens.join('; ')}`);
    for (const clause of preview.unguarded) out(`         not guarded: ${clause}`);
    out(
      `runtime  ${preview.runtime}${preview.model === null ? '' : `, model ${visible(preview.model, 'line')}`}`,
    );
    out(
      `cap      ${preview.capMicroUsd === null ? 'not priced: it counts as a run' : usd(preview.capMicroUsd)}`,
    );
    if (preview.argv !== null) out(`command  ${preview.argv.map(word).join(' ')}`);
    if (preview.environment !== null) out(`with     ${preview.environment.join(' ')}`);
    for (const file of preview.files) out(`\nfile     ${file.path}\n${visible(file.text, 'block')}`);
    out(`\nprompt\n${visible(preview.prompt, 'block')}`);
    return 0;
  },
};

/** A word of a command line as a shell would need it. */
function word(text: string): string {
  const shown = visible(text, 'line');
  return /^[\w./:=@,+-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`;
}
