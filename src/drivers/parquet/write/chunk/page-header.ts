import { putVarint } from './bit-packing.ts';

export interface PageSizes {
  readonly uncompressed: number;
  readonly compressed: number;
}

export interface DataPage extends PageSizes {
  readonly rows: number;
  readonly nulls: number;
  readonly isDictionary: boolean;
  /** Of the bits that say which rows have a value; they come first, and are never compressed. */
  readonly levelBytes: number;
}

/** Numbers of the format: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift */
const DICTIONARY_PAGE = 2;
const DATA_PAGE_V2 = 3;
const PLAIN = 0;
const RLE_DICTIONARY = 8;
/** Types of Thrift's compact protocol. */
const I32 = 5;
const STRUCT = 12;
const STOP = 0;
const HEADER_BYTES_MAX = 64;

/** The header of the page with the values of a dictionary. */
export function dictionaryHeader({ uncompressed, compressed }: PageSizes, count: number): Uint8Array {
  const thrift = new Thrift();
  thrift.pageSizes(DICTIONARY_PAGE, { uncompressed, compressed });
  thrift.begin(7, 3);
  thrift.number(count);
  thrift.number(PLAIN);
  thrift.end();
  return thrift.done();
}

export function dataHeader({ rows, nulls, isDictionary, levelBytes, ...sizes }: DataPage): Uint8Array {
  const thrift = new Thrift();
  thrift.pageSizes(DATA_PAGE_V2, sizes);
  thrift.begin(8, 3);
  for (const value of [rows, nulls, rows, isDictionary ? RLE_DICTIONARY : PLAIN, levelBytes, 0])
    thrift.number(value);
  thrift.end();
  return thrift.done();
}

/** As much of Thrift's compact protocol as headers need: numbers whose fields follow each other. */
class Thrift {
  readonly #bytes = new Uint8Array(HEADER_BYTES_MAX);
  #at = 0;

  pageSizes(type: number, { uncompressed, compressed }: PageSizes): void {
    this.number(type);
    this.number(uncompressed);
    this.number(compressed);
  }

  /** The field after the last one. */
  number(value: number): void {
    this.#bytes[this.#at++] = (1 << 4) | I32;
    this.#at = putVarint(this.#bytes, this.#at, value * 2);
  }

  begin(field: number, last: number): void {
    this.#bytes[this.#at++] = ((field - last) << 4) | STRUCT;
  }

  end(): void {
    this.#bytes[this.#at++] = STOP;
  }

  done(): Uint8Array {
    this.#bytes[this.#at++] = STOP;
    return this.#bytes.subarray(0, this.#at);
  }
}
