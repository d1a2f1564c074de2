import type { Row } from '../../driver.ts';
import { NO_ROOM, putNumber, putPlainText, putText } from './line-bytes.ts';

/** A value as a field of a line, escaped. */
export type CellText = (value: unknown) => string;

/** How the values of a column become fields. */
export interface LineCell {
  readonly text: CellText;
  /** What a value becomes before that; null where it stays as it is. */
  readonly exact?: ((value: unknown) => unknown) | null;
  /** True where `text` does no more than escape texts and write numbers out: bytes are then made without it. */
  readonly isPlain: boolean;
}

/** Puts a row as a line into `bytes` at `from`; gives where it ends, or `NO_ROOM`. Throws what `text` of a cell throws. */
export type LineWriter = (bytes: Buffer, from: number, row: Row) => number;

/** Bytes of a block at which it ends; its last line may go over them. */
const BLOCK_BYTES = 64 * 1_024;
/** For the line that ends a block; a longer one is written again, into more. */
const SPARE_BYTES = 16 * 1_024;
const TAB = 9;
const LINE_FEED = 10;

/**
 * Compiles the writer of lines: code that names its columns reads them several times as fast as a loop over their names, and strings that
 * are joined and encoded afterwards cost nearly twice as much as bytes that are put one by one.
 */
export function compileLines(names: readonly string[], cells: readonly LineCell[]): LineWriter {
  const texts = [...new Set(cells.map(({ text }) => text))];
  const declared = texts.map((_, at) => `c${at}=c[${at}]`);
  const fields = names.map((name, at) => {
    const cell = cells[at] as LineCell;
    const other = `p(b,at,c${texts.indexOf(cell.text)}(v))`;
    const value = cell.exact ? `e[${at}](row[${JSON.stringify(name)}])` : `row[${JSON.stringify(name)}]`;
    const put = cell.isPlain ? `typeof v==='string'?t(b,at,v):typeof v==='number'?n(b,at,v):${other}` : other;
    const end = at === names.length - 1 ? LINE_FEED : TAB;
    return `v=${value};at=${put};if(at<0)return ${NO_ROOM};b[at++]=${end};`;
  });
  const body = names.length === 0 ? `return p(b,at,'\\n')` : `let v;${fields.join('')}return at`;
  const source = `const ${[...declared, 't=f[0]', 'n=f[1]', 'p=f[2]'].join(',')};return (b,at,row)=>{${body}};`;
  const exacts = cells.map(({ exact }) => exact);
  return new Function('c', 'e', 'f', source)(texts, exacts, [putText, putNumber, putPlainText]) as LineWriter;
}

/** The rows as blocks of whole lines, each behind `headBytes` that are left for the caller. */
export function* blocksOf(rows: readonly Row[], write: LineWriter, headBytes = 0): Generator<Buffer> {
  // One for all blocks, which stays in the processor's cache.
  let bytes: Buffer = Buffer.allocUnsafe(headBytes + BLOCK_BYTES + SPARE_BYTES);
  const full = headBytes + BLOCK_BYTES;
  let at = headBytes;
  for (const row of rows) {
    let end = write(bytes, at, row);
    for (; end < 0; end = write(bytes, at, row)) bytes = enlarged(bytes, at);
    at = end;
    if (at < full) continue;
    yield copyOf(bytes, at);
    at = headBytes;
  }
  if (at > headBytes) yield copyOf(bytes, at);
}

function copyOf(bytes: Buffer, end: number): Buffer {
  const copy = Buffer.allocUnsafe(end);
  bytes.copy(copy, 0, 0, end);
  return copy;
}

function enlarged(bytes: Buffer, end: number): Buffer {
  const larger = Buffer.allocUnsafe(bytes.length * 2);
  bytes.copy(larger, 0, 0, end);
  return larger;
}
