import { Box, Text } from 'ink';
import { memo, type ReactNode } from 'react';
import { type Row, sameRow } from '../cells/cell.ts';
import { ansiOf, type Theme } from '../cells/theme.ts';

/** Rows that were laid out already, each exactly as wide as the screen. Ink only draws them. */
export function Lines({ rows, theme }: { readonly rows: readonly Row[]; readonly theme: Theme }): ReactNode {
  return (
    <Box flexDirection="column" height={rows.length}>
      {rows.map((line, at) => (
        // A line of a screen is its place: there is nothing else to know it by.
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a screen do not move
        <Line key={at} line={line} theme={theme} />
      ))}
    </Box>
  );
}

/** One text a row: Ink's work grows with the number of texts, and with what it has to join. */
const Line = memo(
  ({ line, theme }: { readonly line: Row; readonly theme: Theme }) => (
    <Text wrap="truncate">{ansiOf(line, theme)}</Text>
  ),
  (before, after) => before.theme === after.theme && sameRow(before.line, after.line),
);
Line.displayName = 'Line';
