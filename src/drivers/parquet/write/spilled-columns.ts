import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { HeldColumn } from './chunk/column-buffer.ts';

const QUICK = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const LENGTH_BYTES = 4;

/** The values of columns as bytes, which `spilledColumns` reads: their length, then what is compressed. */
export function spilled(columns: readonly HeldColumn[]): Uint8Array {
  const packed = zstdCompressSync(serialize(columns), QUICK);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(packed.length);
  return Buffer.concat([length, packed]);
}

/** What was spilled, in order; chunks may end anywhere. */
export async function* spilledColumns(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly HeldColumn[], void, undefined> {
  let held = Buffer.alloc(0);
  for await (const chunk of chunks) {
    held = Buffer.concat([held, chunk]);
    while (held.length >= LENGTH_BYTES) {
      const end = LENGTH_BYTES + held.readUInt32LE();
      if (held.length < end) break;
      yield deserialize(zstdDecompressSync(held.subarray(LENGTH_BYTES, end))) as HeldColumn[];
      held = held.subarray(end);
    }
  }
}
