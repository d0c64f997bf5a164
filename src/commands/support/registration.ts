import { realPath } from '../../config/index.ts';
import { type Entry, type Machine, type Surveyed, wantedEntry } from '../../setup/index.ts';
import { visible } from '../../text/index.ts';
import type { Context } from './command.ts';
import { print, table, widthOf } from './print.ts';

/** What setup looks at of this machine. */
export function machineOf(context: Context): Machine {
  return { env: context.env, home: context.home, cwd: context.cwd, platform: context.platform };
}

/** The entry that other programs have to have of this wats. */
export function wantedFor(dir: string, profile: string, context: Context): Entry {
  return wantedEntry({
    node: context.self.node,
    script: realPath(context.self.script),
    profile,
    dir,
    home: context.home,
    platform: context.platform,
  });
}

type Row = Surveyed & { readonly agent: boolean };

export function printSurvey(rows: readonly Row[], context: Context): void {
  const text = table(
    rows,
    [
      { title: 'program', cell: (row) => row.name },
      { title: 'version', cell: (row) => (row.found ? (row.version ?? '?') : 'not found') },
      { title: 'logged in', cell: (row) => (!row.found || row.loggedIn === null ? '-' : yes(row.loggedIn)) },
      { title: 'wats registered', cell: (row) => row.registered ?? '-' },
      { title: 'runs your agent', cell: (row) => yes(row.agent) },
    ],
    widthOf(context),
  );
  print(context.stdout, text);
  for (const row of rows) for (const note of notesOf(row)) print(context.stdout, visible(note, 'line'));
}

function yes(is: boolean): string {
  return is ? 'yes' : 'no';
}

function notesOf(row: Row): string[] {
  const notes: string[] = [];
  for (const { scope, state, command } of row.registrations)
    if (state === 'stale')
      notes.push(
        `! ${row.title} starts another wats (${scope} scope): ${command ?? 'no command'}. wats setup ${row.name} --mcp puts it right`,
      );
  if (row.found && row.loggedIn === false) notes.push(`! ${row.title} is not logged in: ${row.login}`);
  if (row.problem !== null) notes.push(`! ${row.title}: ${row.problem}`);
  return notes;
}
