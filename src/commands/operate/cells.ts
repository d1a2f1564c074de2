import { formatSeconds } from '../../base/text/format-figures.ts';
import { splitAtWidth, textWidth } from '../../base/text/terminal-width.ts';
import { type CommandOutput, printable } from '../kit/command-output.ts';
import { fitTable } from '../kit/text/lay-out-table.ts';

const CELL_WIDTH_MAX = 60;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Text from elsewhere in a cell of a table. */
export function cell(text: string | number | null | undefined): string {
  const line = printable(String(text ?? ''));
  return textWidth(line) > CELL_WIDTH_MAX ? `${splitAtWidth(line, CELL_WIDTH_MAX - 1)[0]}…` : line;
}

/** A moment in the machine's own zone, to the second. */
export function timeCell(iso: string | null): string {
  if (iso === null) return '';
  // Swedish writes dates as ISO 8601 does.
  return new Date(iso).toLocaleString('sv');
}

export function durationCell(ms: number | null): string {
  if (ms === null) return '';
  if (ms < MINUTE_MS) return formatSeconds(ms);
  const [large, small, names] = ms < HOUR_MS ? [MINUTE_MS, SECOND_MS, 'ms'] : [HOUR_MS, MINUTE_MS, 'hm'];
  return `${Math.floor(ms / large)}${names[0]} ${Math.floor((ms % large) / small)}${names[1]}`;
}

/** A table that fits its terminal, or what to say where there is none of its rows. */
export function printTable(
  out: CommandOutput,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  options: { readonly textColumns: number; readonly none: string },
): void {
  if (rows.length === 0) {
    out.line(options.none);
    return;
  }
  const table = fitTable([head, ...rows], options.textColumns, out.columns);
  for (const [index, line] of table.lines.entries())
    out.line(index < table.head ? out.paint('bold', line) : line);
}
