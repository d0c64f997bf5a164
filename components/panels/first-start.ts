import type { ProgramRow, View } from '../../src/control/index.ts';
import { cellWidth, pad } from '../../src/text/index.ts';
import { type Piece, type Row, row, rowWidth, span } from '../cells/cell.ts';

/** The command that sets up the first program that is ready, else the first that is there, else any. */
export function setupCommand(view: View): string {
  const there = view.programs.filter((program) => program.version !== null);
  const best = there.find((program) => program.fix === null) ?? there[0];
  return `wats setup ${best?.name ?? 'claude'}`;
}

/** Where no agent is set up: what was found on this machine, how to set one up, and that watching is fine too. */
export function firstStartRows(view: View, canRun: boolean, room: FirstStartRoom): Row[] {
  const { programs } = view;
  const rows = [
    [],
    line(span('No agent is set up: this node watches only.', 'bold')),
    [],
    ...(programs.length === 0 ? [] : [...programRows(programs, room.width), []]),
    ...(programs.length === 0 ? unlooked() : offer(programs, setupCommand(view), canRun)),
    [],
    line(span('Or only watch: 4 shows the posts, c writes one, ? lists every key.', 'dim')),
  ];
  return rows.length <= room.height ? rows : rows.filter((one) => one.length > 0);
}

/** Cells and rows that there are for it. */
export interface FirstStartRoom {
  readonly width: number;
  readonly height: number;
}

/** A row a program, and where a row has no room for what to type, one more. */
function programRows(programs: readonly ProgramRow[], width: number): Row[] {
  const names = Math.max(...programs.map((program) => cellWidth(program.name))) + 2;
  return programs.flatMap((program) => {
    const found = line(...foundPieces(program, pad(program.name, names)));
    if (program.fix === null) return [found];
    const fix = span(`→ ${program.fix}`, 'accent');
    const beside = row(found, ' ', fix);
    return rowWidth(beside) <= width ? [beside] : [found, line('    ', fix)];
  });
}

function foundPieces({ version, loggedIn, fix }: ProgramRow, padded: string): Piece[] {
  const name = span(padded, 'bold');
  if (version === null) return [span('· ', 'dim'), name, span('not found', 'dim')];
  if (loggedIn === false) return [span('! ', 'warn'), name, version, ', ', span('not logged in', 'warn')];
  const sign = fix === null ? span('✓ ', 'ok') : span('! ', 'warn');
  return [sign, name, version, loggedIn === true ? ', logged in' : null];
}

function offer(programs: readonly ProgramRow[], command: string, canRun: boolean): Row[] {
  if (programs.every((program) => program.version === null))
    return [line('Install one of them, then set it up in another terminal:'), ...commandRows(command)];
  if (canRun)
    return [
      line(span('⏎', 'accent'), ' sets one up here. Or type it in another terminal:'),
      ...commandRows(command),
    ];
  return [line('To set one up, type in another terminal, then start wats again:'), ...commandRows(command)];
}

function commandRows(command: string): Row[] {
  return [[], line('  ', span(command, 'accent'), span('    y copies it', 'dim'))];
}

function unlooked(): Row[] {
  return [
    line('wats setup                 lists the agent programs found here'),
    line('wats setup claude          sets one up: claude, codex or openclaw'),
    line('wats --agent claude        runs one for this time only'),
  ];
}

function line(...pieces: readonly Piece[]): Row {
  return row(' ', ...pieces);
}
