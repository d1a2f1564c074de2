import { strictBytes } from '../../../base/values/strict-base64.ts';
import type { Holding } from '../holding.ts';
import { UnfitValue } from '../unfit-value.ts';
import type { Cell, CellContext } from './cell.ts';

/** Bytes as base64. Text and numbers are none: what turns them into bytes is a cast that names their encoding. */
export function bytesCell(
  { max, fixed }: Extract<Holding, { kind: 'bytes' }>,
  { from, lossy, lost }: CellContext,
): Cell {
  return (value) => {
    const bytes = bytesOf(value);
    if (fixed && bytes.length < max)
      throw new UnfitValue(`it has ${bytes.length} bytes, and the column ${max}`);
    if (bytes.length <= max) return typeof value === 'string' ? value : bytes.toString('base64');
    if (lossy !== 'truncate') throw new UnfitValue(`it has more than ${max} bytes`);
    lost();
    return bytes.subarray(0, max).toString('base64');
  };

  function bytesOf(value: unknown): Buffer {
    if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    if (typeof value !== 'string' || from !== 'binary')
      throw new UnfitValue('it is no bytes; cast it to binary, with its encoding');
    const bytes = strictBytes(value);
    if (bytes === null) throw new UnfitValue('it is no base64, in which bytes travel');
    return bytes;
  }
}
