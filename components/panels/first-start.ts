import type { ProgramRow, View } from '../../src/control/index.ts';
import { cellWidth, pad } from '../../src/text/index.ts';
import { type Piece, type Row, row, span } from '../cells/cell.ts';

/** The command that sets up the first program that is ready, else the first that is there, else any. */
export function setupCommand(view: View): string {
  const there = view.programs.filter((program) => program.version !== null);
  const best = there.find((program) => program.fix === null) ?? there[0];
  return `wats setup ${best?.name ?? 'claude'}`;
}

/** Where no agent is set up: what was found on this machine, how to set one up, and that watching is fine too. */
export function firstStartRows(view: View, canRun: boolean): Row[] {
  const { programs } = view;
  return [
    [],
    line(span('No agent is set up: this node watches only.', 'bold')),
    [],
    ...(programs.length === 0 ? [] : [...programRows(programs), []]),
    ...(programs.length === 0 ? unlooked() : offer(programs, setupCommand(view), canRun)),
    [],
    line(span('Or only watch: 4 shows the posts, c writes one, ? lists every key.', 'dim')),
  ];
}

function programRows(programs: readonly ProgramRow[]): Row[] {
  const width = Math.max(...programs.map((program) => cellWidth(program.name))) + 2;
  return programs.map((program) => {
    const name = span(pad(program.name, width), 'bold');
    const fix = program.fix === null ? null : span(` → ${program.fix}`, 'accent');
    if (program.version === null) return line(span('· ', 'dim'), name, span('not found', 'dim'), fix);
    if (program.loggedIn === false)
      return line(span('! ', 'warn'), name, program.version, ', ', span('not logged in', 'warn'), fix);
    const sign = program.fix === null ? span('✓ ', 'ok') : span('! ', 'warn');
    return line(sign, name, program.version, program.loggedIn === true ? ', logged in' : null, fix);
  });
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
