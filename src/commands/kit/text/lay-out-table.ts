import { splitAtWidth, textWidth } from '../../../base/text/terminal-width.ts';

const GAP = '   ';
const NARROW_GAP = '  ';
/** Columns up to this width stay as wide as they are. */
const KEPT_WIDTH = 12;
/** Narrower than this no column becomes. */
const WIDTH_MIN = 10;
/** Words longer than this may be divided. */
const WORD_WIDTH_MAX = 20;

/** Texts to the left, numbers to the right, each column as wide as its widest cell. The first row is the head. */
export function layOutTable(rows: readonly (readonly string[])[], textColumns: number): string[] {
  const widths = widthsOf(rows);
  return rows.map((row) => lineOf(row, widths, textColumns, GAP));
}

/**
 * A table for a terminal of `columns`: as `layOutTable` where that fits, else with texts over several lines, else, where even that is
 * too wide, with a line for each cell. `head` is how many of the lines are the head.
 */
export function fitTable(
  rows: readonly (readonly string[])[],
  textColumns: number,
  columns: number,
): { readonly lines: readonly string[]; readonly head: number } {
  const widths = widthsOf(rows);
  if (totalOf(widths, GAP) <= columns) return { lines: layOutTable(rows, textColumns), head: 1 };
  const fitted = shrink(widths, leastWidths(rows, widths, textColumns), columns);
  if (fitted === null) return { lines: layOutRecords(rows), head: 0 };
  const [head = [], ...others] = rows.map((row) => wrapRow(row, fitted, textColumns));
  return { lines: [head, ...others].flat(), head: head.length };
}

function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: columns }, (_, column) =>
    rows.reduce((most, row) => Math.max(most, textWidth(row[column] ?? '')), 0),
  );
}

function totalOf(widths: readonly number[], gap: string): number {
  return widths.reduce((sum, width) => sum + width, gap.length * Math.max(0, widths.length - 1));
}

function lineOf(
  cells: readonly string[],
  widths: readonly number[],
  textColumns: number,
  gap: string,
): string {
  return widths
    .map((width, column) => {
      const cell = cells[column] ?? '';
      const space = ' '.repeat(Math.max(0, width - textWidth(cell)));
      return column < textColumns ? cell + space : space + cell;
    })
    .join(gap)
    .trimEnd();
}

/** How narrow each column may become: numbers stay whole, and so do words. */
function leastWidths(
  rows: readonly (readonly string[])[],
  widths: readonly number[],
  textColumns: number,
): readonly number[] {
  return widths.map((width, column) => {
    if (column >= textColumns || width <= KEPT_WIDTH) return width;
    const words = rows.flatMap((row) => (row[column] ?? '').split(' '));
    const longest = words.reduce((most, word) => Math.max(most, textWidth(word)), 0);
    return Math.max(WIDTH_MIN, Math.min(longest, WORD_WIDTH_MAX));
  });
}

/** The widest columns give way first; null where they cannot enough. */
function shrink(
  widths: readonly number[],
  least: readonly number[],
  columns: number,
): readonly number[] | null {
  const now = [...widths];
  for (let over = totalOf(now, NARROW_GAP) - columns; over > 0; over -= 1) {
    const widest = now.reduce<number | null>((best, width, column) => {
      if (width <= (least[column] ?? 0)) return best;
      return best === null || width > (now[best] ?? 0) ? column : best;
    }, null);
    if (widest === null) return null;
    now[widest] = (now[widest] ?? 0) - 1;
  }
  return now;
}

function wrapRow(row: readonly string[], widths: readonly number[], textColumns: number): string[] {
  const cells = widths.map((width, column) => wrap(row[column] ?? '', width));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    lineOf(
      cells.map((lines) => lines[line] ?? ''),
      widths,
      textColumns,
      NARROW_GAP,
    ),
  );
}

/** A text in lines of at most `width`, between words where it can be. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (textWidth(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (textWidth(line) > width) {
      const [start, rest] = splitAtWidth(line, width);
      lines.push(start);
      line = rest;
    }
  }
  return [...lines, line];
}

/** A line for each cell that is not empty, below the name of its column; an empty line between records. */
function layOutRecords([head = [], ...rows]: readonly (readonly string[])[]): string[] {
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : ['']),
    ...layOutTable(
      row.flatMap((cell, column) => (cell === '' ? [] : [[head[column] ?? '', cell]])),
      2,
    ),
  ]);
}
