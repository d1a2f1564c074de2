import { formatSeconds } from '../../base/text/format-figures.ts';
import { type CommandOutput, printable } from '../kit/command-output.ts';
import { layOutTable } from '../kit/lay-out-table.ts';

const CELL_CHARS_MAX = 60;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Text from elsewhere in a cell of a table. */
export function cell(text: string | number | null | undefined): string {
  const line = printable(String(text ?? ''));
  return line.length > CELL_CHARS_MAX ? `${line.slice(0, CELL_CHARS_MAX - 1)}…` : line;
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

/** A table, or what to say where there is none of its rows. */
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
  const [first = '', ...lines] = layOutTable([head, ...rows], options.textColumns);
  out.line(out.paint('bold', first));
  for (const line of lines) out.line(line);
}
