import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

const PATIENCE_MS = 5_000;
/** What a notification program needs to find the desktop; nothing else of ours reaches it. */
const PASSED_ON = [
  'PATH',
  'HOME',
  'LANG',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
];

/**
 * Shows a notification on the desktop of this machine: `notify-send` on Linux, `osascript` on macOS, which reads
 * its script from stdin, so that no argument begins with a dash. No shell; ended after 5 s.
 *
 * @returns whether a program took it; `false` without a desktop, over ssh, and when the program is missing or fails
 */
export async function showOnDesktop(words: string, platform: NodeJS.Platform, env: Env): Promise<boolean> {
  if (env['SSH_CONNECTION'] || env['SSH_TTY']) return false;
  if (platform === 'darwin') {
    const osascript = await find('osascript', env);
    return (
      osascript !== null && run(osascript, [], `display notification "${words}" with title "wats"\n`, env)
    );
  }
  const desktop = env['DISPLAY'] || env['WAYLAND_DISPLAY'] || env['DBUS_SESSION_BUS_ADDRESS'];
  const notifySend = desktop ? await find('notify-send', env) : null;
  return notifySend !== null && run(notifySend, ['wats', words], '', env);
}

/** The program by its absolute path; entries of PATH that are relative are nobody's installed programs. */
async function find(program: string, env: Env): Promise<string | null> {
  for (const dir of (env['PATH'] ?? '').split(delimiter)) {
    if (!isAbsolute(dir)) continue;
    const path = join(dir, program);
    try {
      await access(path, constants.X_OK);
      return path;
    } catch {
      // Not here: the next entry.
    }
  }
  return null;
}

function run(program: string, args: readonly string[], input: string, env: Env): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env: Object.fromEntries(PASSED_ON.map((name) => [name, env[name]])),
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL',
    });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
    child.stdin.on('error', () => {}); // it ended without reading: its exit code says how
    child.stdin.end(input);
    child.unref();
  });
}
