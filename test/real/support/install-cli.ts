import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { CLIS } from './versions.ts';

const CACHE = new URL('../../../.cache/clis/', import.meta.url).pathname;
const INSTALL_MS = 280_000;

export type Installed =
  | { readonly ok: true; readonly bin: string; readonly dir: string }
  | { readonly ok: false; readonly why: string };

/**
 * Installs a real agent program below `.cache/clis/` unless it is there, by npm, from the registry of this machine.
 * It is put together beside its place and moved there whole, so that of two installs at once the first one stands
 * and none is ever half there.
 *
 * @returns where it is, or why a test that needs it has to be skipped
 */
export async function installCli(name: keyof typeof CLIS): Promise<Installed> {
  const cli = CLIS[name];
  const home = join(CACHE, `${name}-${cli.version}`);
  const installed: Installed = {
    ok: true,
    bin: join(home, 'node_modules', '.bin', cli.bin),
    dir: join(home, 'node_modules', '.bin'),
  };
  if (existsSync(installed.bin)) return installed;
  mkdirSync(CACHE, { recursive: true });
  const building = mkdtempSync(join(CACHE, `.building-${name}-`));
  try {
    // By exact version: npm alone would take the last one that declares to fit the running Node.
    const args = [
      'install',
      '--prefix',
      building,
      '--no-audit',
      '--no-fund',
      '--no-save',
      ...(name === 'openclaw' ? ['--ignore-scripts'] : []),
      `${cli.package}@${cli.version}`,
    ];
    const npm = await execa('npm', args, { reject: false, timeout: INSTALL_MS, all: true, cwd: building });
    if (npm.failed)
      return { ok: false, why: `npm could not install ${cli.package}@${cli.version}: ${lastLine(npm.all)}` };
    try {
      renameSync(building, home);
    } catch (error) {
      if (!existsSync(installed.bin)) throw error;
      // Another install was first.
    }
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
  const answer = await execa(installed.bin, ['--version'], { reject: false, timeout: 30_000, all: true });
  if (!answer.failed && answer.stdout.includes(cli.version)) return installed;
  return { ok: false, why: `${installed.bin} does not run: ${lastLine(answer.all)}` };
}

function lastLine(output: string | undefined): string {
  return output?.trim().split('\n').at(-1) ?? 'no output';
}
