import type { Holding } from '../holding.ts';
import { UnfitValue } from '../unfit-value.ts';
import type { Cell, CellContext } from './cell.ts';
import { written } from './json-cell.ts';

/** Columns whose values are filled up with blanks, which say nothing. */
const PADDED_TYPE = /^(?:char|character|bpchar|nchar)(?:\s*\(|$)/i;
const HIGH_PLANES = /[\ud800-\udbff]/;

/** A value as its text: numbers, true and false as JSON writes them, objects and lists as JSON. Throws `UnfitValue` for bytes. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) throw new UnfitValue('bytes are no text');
  return written(value);
}

/** Text that is as long as the column allows, in characters that it has. `lossy: truncate` clips what is longer. */
export function textCell(holding: Extract<Holding, { kind: 'text' }>, context: CellContext): Cell {
  const { chars, bytes, padded, nul, planes } = holding;
  const isFilled = PADDED_TYPE.test(context.native);
  return (value) => {
    let text = textOf(value);
    if (!text.isWellFormed()) throw new UnfitValue('it has half a character');
    if (!nul && text.includes('\0')) throw new UnfitValue('the column has no place for the character U+0000');
    if (!planes && HIGH_PLANES.test(text))
      throw new UnfitValue('the column has no place for characters beyond U+FFFF');
    if (padded && text.endsWith(' ')) text = unpadded(text);
    return isShort(text) ? text : clipped(text);
  };

  function unpadded(text: string): string {
    if (!isFilled) {
      if (context.lossy !== 'truncate') throw new UnfitValue('the column does not keep blanks at the end');
      context.lost();
    }
    return text.replace(/ +$/, '');
  }

  function isShort(text: string): boolean {
    const { length } = text;
    return (
      (length <= chars || lengthOf(text) <= chars) && (length * 3 <= bytes || byteLengthOf(text) <= bytes)
    );
  }

  function clipped(text: string): string {
    if (context.lossy !== 'truncate') {
      const most = lengthOf(text) > chars ? `${chars} characters` : `${bytes} bytes in UTF-8`;
      throw new UnfitValue(`it is longer than ${most}`);
    }
    context.lost();
    const kept = chars === Number.POSITIVE_INFINITY ? text : [...text].slice(0, chars).join('');
    const short = byteLengthOf(kept) > bytes ? firstBytes(kept, bytes) : kept;
    return padded ? short.replace(/ +$/, '') : short;
  }
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

function byteLengthOf(text: string): number {
  return Buffer.byteLength(text);
}

/** The characters that are whole within so many bytes. */
function firstBytes(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}
