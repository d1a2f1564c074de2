import type { ColumnChunk, Encoding, SchemaElement } from 'hyparquet';
import type { ByteWriter } from 'hyparquet-writer';
import { snappyCompressor } from 'hysnappy';
import { bitsFor, packedBytesMax, putPacked, putVarint } from './bit-packing.ts';
import { boundsOf, type ValueOrder } from './bounds.ts';
import type { ColumnBuffer } from './column-buffer.ts';
import { type Dictionary, DictionaryFinder, lengthAt } from './dictionary.ts';
import { dataHeader, dictionaryHeader } from './page-header.ts';

/** How a column is stored. */
export interface StoredColumn {
  readonly element: SchemaElement;
  readonly order: ValueOrder;
  /** Bytes of a value in a buffer; 0 where each has its own length. */
  readonly width: 0 | 1 | 4 | 8 | 16;
}

/** Of texts and bytes; of other values a group has less. */
const PAGE_BYTES = 1024 * 1024;
/** No bytes, compressed. */
const NO_VALUES = Uint8Array.of(0);
/** A dictionary with its places may take so much of what the values take. */
const DICTIONARY_SHARE = 0.7;

/** Rows of a chunk whose values are one page. */
interface PageOf {
  readonly fromRow: number;
  readonly toRow: number;
  readonly nulls: number;
  readonly values: Uint8Array;
}

/** Encodes column chunks: https://parquet.apache.org/docs/file-format/. One is used for many files. */
export class ChunkEncoder {
  readonly #finder = new DictionaryFinder();
  readonly #compress = snappyCompressor();

  /** Writes the values of a group's column, and gives what its footer says of them. */
  write(writer: ByteWriter, buffer: ColumnBuffer, column: StoredColumn): ColumnChunk {
    const from = writer.offset;
    const count = buffer.rows - buffer.nulls;
    const places = column.width === 0 ? placesOf(buffer, count) : null;
    const dictionary = this.#dictionaryOf(buffer, count, column.width, places);
    const sizes = { uncompressed: 0 };
    if (dictionary !== null)
      this.#writeDictionary(
        writer,
        dictionaryBytes(buffer, dictionary, column.width, places),
        dictionary.firsts.length,
        sizes,
      );
    const dataFrom = writer.offset;
    const pages = dictionary === null ? plainPages(buffer, column, places) : [indexPage(buffer, dictionary)];
    let written = 0;
    for (const page of pages) {
      this.#writePage(writer, buffer, page, dictionary !== null, sizes);
      written++;
    }
    const encoding: Encoding = dictionary === null ? 'PLAIN' : 'RLE_DICTIONARY';
    const { type = 'BYTE_ARRAY', name } = column.element;
    const bounds = boundsOf(buffer, column.order, { count, firsts: dictionary?.firsts ?? null, places });
    return {
      file_offset: BigInt(from),
      meta_data: {
        type,
        encodings: dictionary === null ? ['PLAIN', 'RLE'] : ['PLAIN', 'RLE', 'RLE_DICTIONARY'],
        path_in_schema: [name],
        codec: 'SNAPPY',
        num_values: BigInt(buffer.rows),
        total_uncompressed_size: BigInt(sizes.uncompressed),
        total_compressed_size: BigInt(writer.offset - from),
        data_page_offset: BigInt(dataFrom),
        ...(dictionary !== null && { dictionary_page_offset: BigInt(from) }),
        statistics: { ...bounds, null_count: BigInt(buffer.nulls) },
        encoding_stats: [
          ...(dictionary === null
            ? []
            : [{ page_type: 'DICTIONARY_PAGE', encoding: 'PLAIN', count: 1 } as const]),
          { page_type: 'DATA_PAGE_V2', encoding, count: written },
        ],
      },
    };
  }

  #dictionaryOf(
    buffer: ColumnBuffer,
    count: number,
    width: StoredColumn['width'],
    places: Int32Array | null,
  ): Dictionary | null {
    if (count === 0 || width === 1) return null;
    const found =
      places === null ? this.#finder.ofWords(buffer, count, width / 4) : this.#finder.ofBytes(buffer, places);
    if (found === null) return null;
    const bits = bitsFor(found.firsts.length - 1);
    const share = places === null ? found.firsts.length * width : (buffer.used / count) * found.firsts.length;
    return share + (count * bits) / 8 <= buffer.used * DICTIONARY_SHARE ? found : null;
  }

  #writeDictionary(
    writer: ByteWriter,
    values: Uint8Array,
    count: number,
    sizes: { uncompressed: number },
  ): void {
    const compressed = this.#compress(values);
    const header = dictionaryHeader({ uncompressed: values.length, compressed: compressed.length }, count);
    writer.appendBytes(header);
    writer.appendBytes(compressed);
    sizes.uncompressed += header.length + values.length;
  }

  #writePage(
    writer: ByteWriter,
    buffer: ColumnBuffer,
    { fromRow, toRow, nulls, values }: PageOf,
    isDictionary: boolean,
    sizes: { uncompressed: number },
  ): void {
    const levels = levelsOf(buffer, fromRow, toRow, nulls);
    const compressed = values.length === 0 ? NO_VALUES : this.#compress(values);
    const header = dataHeader({
      rows: toRow - fromRow,
      nulls,
      isDictionary,
      levelBytes: levels.length,
      uncompressed: levels.length + values.length,
      compressed: levels.length + compressed.length,
    });
    writer.appendBytes(header);
    writer.appendBytes(levels);
    writer.appendBytes(compressed);
    sizes.uncompressed += header.length + levels.length + values.length;
  }
}

/** Where each value begins that has its length before it. */
function placesOf({ bytes }: ColumnBuffer, count: number): Int32Array {
  const places = new Int32Array(count);
  let at = 0;
  for (let i = 0; i < count; i++) {
    places[i] = at;
    at += 4 + lengthAt(bytes, at);
  }
  return places;
}

function dictionaryBytes(
  { bytes }: ColumnBuffer,
  { firsts }: Dictionary,
  width: number,
  places: Int32Array | null,
): Uint8Array {
  const parts = Array.from(firsts, (first) => {
    const from = places === null ? first * width : (places[first] as number);
    return bytes.subarray(from, from + (places === null ? width : 4 + lengthAt(bytes, from)));
  });
  return Buffer.concat(parts);
}

function indexPage({ rows, nulls }: ColumnBuffer, { indexes, firsts }: Dictionary): PageOf {
  const bits = bitsFor(firsts.length - 1);
  const bytes = new Uint8Array(1 + packedBytesMax(indexes.length, bits));
  bytes[0] = bits;
  const end = putPacked(bytes, 1, { values: indexes, bits });
  return { fromRow: 0, toRow: rows, nulls, values: bytes.subarray(0, end) };
}

function* plainPages(
  buffer: ColumnBuffer,
  { width }: StoredColumn,
  places: Int32Array | null,
): Generator<PageOf> {
  const { rows, nulls, used } = buffer;
  if (width === 1) yield { fromRow: 0, toRow: rows, nulls, values: packedBooleans(buffer) };
  else if (places === null || used <= PAGE_BYTES)
    yield { fromRow: 0, toRow: rows, nulls, values: buffer.bytes.subarray(0, used) };
  else yield* longPages(buffer, places);
}

/** Pages begin with a whole byte of the bits that say which rows have a value. */
function* longPages({ bytes, rows, used, absent }: ColumnBuffer, places: Int32Array): Generator<PageOf> {
  let [fromRow, fromValue, value] = [0, 0, 0];
  const placeOf = (at: number) => places[at] ?? used;
  for (let row = 0; row < rows; row++) {
    const isFull = row % 8 === 0 && placeOf(value) - placeOf(fromValue) >= PAGE_BYTES;
    if (isFull) {
      const values = bytes.subarray(placeOf(fromValue), placeOf(value));
      yield { fromRow, toRow: row, nulls: row - fromRow - (value - fromValue), values };
      [fromRow, fromValue] = [row, value];
    }
    if (((absent[row >> 3] ?? 0) & (1 << (row & 7))) === 0) value++;
  }
  const values = bytes.subarray(placeOf(fromValue), used);
  yield { fromRow, toRow: rows, nulls: rows - fromRow - (value - fromValue), values };
}

/** Booleans are a byte each in a buffer, and a bit each in a file. */
function packedBooleans({ bytes, used }: ColumnBuffer): Uint8Array {
  const packed = new Uint8Array((used + 7) >> 3);
  for (let i = 0; i < used; i++)
    if (bytes[i] === 1) packed[i >> 3] = (packed[i >> 3] as number) | (1 << (i & 7));
  return packed;
}

/** Which rows have a value, as definition levels: a run where all or none have one, else bits. */
function levelsOf({ absent }: ColumnBuffer, fromRow: number, toRow: number, nulls: number): Uint8Array {
  const rows = toRow - fromRow;
  const groups = (rows + 7) >> 3;
  const bytes = new Uint8Array(groups + 8);
  if (nulls === 0 || nulls === rows) {
    const at = putVarint(bytes, 0, rows * 2);
    bytes[at] = nulls === 0 ? 1 : 0;
    return bytes.subarray(0, at + 1);
  }
  const at = putVarint(bytes, 0, groups * 2 + 1);
  for (let i = 0; i < groups; i++) bytes[at + i] = ~(absent[(fromRow >> 3) + i] ?? 0);
  return bytes.subarray(0, at + groups);
}
