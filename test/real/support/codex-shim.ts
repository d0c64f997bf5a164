import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The real Codex under its own name, told where a test's model is: a locked run reads no configuration file.
 *
 * @param real the program; @param url of the model server; @param key the variable that holds its API key
 * @param provider more of the table of the test's model provider
 * @returns a folder for PATH
 */
export function codexShim(dir: string, real: string, url: string, key: string, provider = ''): string {
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  const table = `{name="test",base_url="${url}/v1",wire_api="responses",env_key="${key}"${provider}}`;
  const args = `-c model_provider='"test"' -c 'model_providers.test=${table}'`;
  // Its own words (--version, login status) go through as they are.
  const shim = `#!/bin/sh\nif [ "$1" != exec ]; then exec '${real}' "$@"; fi\nshift\nexec '${real}' exec ${args} "$@"\n`;
  writeFileSync(join(bin, 'codex'), shim, { mode: 0o755 });
  return bin;
}
