import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { type Batch, type Column, ConnectorError, type Row } from '../../driver.ts';
import type { SetFileContents } from '../../files/set/set-format.ts';
import type { Lossy } from '../../values/holding.ts';
import type { ChunkEncoder } from './chunk/chunk-encoder.ts';
import { ColumnBuffer } from './chunk/column-buffer.ts';
import { columnForm } from './form/column-form.ts';
import type { ColumnForm } from './form/form.ts';
import { spilled, spilledColumns } from './spilled-columns.ts';

/** Rows of a group, and bytes of its values; it is written when one of them is reached. */
export const groupRowsMax = 50_000;
export const groupBytesMax = 16 * 1024 * 1024;

const NOTHING = new Uint8Array(0);

export interface RowGroupsOptions {
  readonly encoder: ChunkEncoder;
  readonly lossy: ReadonlyMap<string, Lossy> | undefined;
  /** Told the column of each value that has lost something. */
  readonly onLossy: (column: string) => void;
}

interface GroupColumn extends ColumnForm {
  readonly name: string;
  /** Puts the values of the rows into an array. */
  readonly pick: (rows: readonly Row[], values: unknown[]) => void;
  readonly buffer: ColumnBuffer;
}

/**
 * The bytes of a Parquet file, group by group. Memory holds the values of one group, encoded as they come. Where `flush` asks for them
 * earlier, they are given as they are, and become groups at the end: a file of many small groups is slow to read, and what tells of them
 * fills the memory.
 */
export class RowGroups implements SetFileContents {
  readonly #name: string;
  readonly #encoder: ChunkEncoder;
  readonly #lossy: ReadonlyMap<string, Lossy>;
  readonly #onLossy: (column: string) => void;
  readonly #bytes = new ByteWriter();
  #columns: readonly GroupColumn[] = [];
  #file: ParquetWriter | null = null;
  #rows = 0;
  #hasGroups = false;
  /** Rows were given as they are. */
  #isSpilled = false;

  /** `name`: of the file, for messages. */
  constructor(name: string, { encoder, lossy = new Map(), onLossy }: RowGroupsOptions) {
    this.#name = name;
    this.#encoder = encoder;
    this.#lossy = lossy;
    this.#onLossy = onLossy;
  }

  prepare({ columns, rows }: Batch): () => Uint8Array {
    this.#begin(columns, rows);
    const unknown = columns.find(({ name }) => !this.#columns.some((known) => known.name === name));
    if (unknown !== undefined)
      throw new ConnectorError(
        'CONFIG',
        `The file "${this.#name}" has no column "${unknown.name}": a Parquet file has the columns of its first rows`,
      );
    const values = new Array<unknown>(rows.length);
    for (const { buffer, pick, put } of this.#columns) {
      // What a batch that was not taken has left there.
      buffer.takeBack();
      pick(rows, values);
      put(buffer, values);
    }
    return () => {
      for (const { buffer } of this.#columns) buffer.keep();
      this.#rows += rows.length;
      if (!this.#isFull()) return NOTHING;
      return this.#isSpilled ? this.#spilled() : this.#flushed();
    };
  }

  heldBytes(): number {
    return this.#columns.reduce((sum, { buffer }) => sum + buffer.bytes.length, 0);
  }

  flush(): Uint8Array {
    return this.#hasGroups ? this.#flushed() : this.#spilled();
  }

  made(given: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> | undefined {
    return this.#isSpilled ? this.#grouped(given) : undefined;
  }

  /** The rest of the file, with what tells where everything is. Throws `CONFIG` where no batch has named the columns. */
  end(): Uint8Array {
    if (this.#file === null)
      throw new ConnectorError(
        'CONFIG',
        `No rows came for "${this.#name}", and a Parquet file has the columns of its rows: leave out allow_empty to keep the file`,
      );
    const rest = this.#flushed();
    void this.#file.finish();
    return Buffer.concat([rest, this.#taken()]);
  }

  async *#grouped(given: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    const last = this.#columns.map(({ buffer }) => buffer);
    const rows = this.#rows;
    this.#columns = this.#columns.map((column) => ({ ...column, buffer: new ColumnBuffer() }));
    this.#rows = 0;
    for await (const held of spilledColumns(given)) {
      for (const [at, { buffer }] of this.#columns.entries()) {
        const column = held[at];
        if (column !== undefined) buffer.add(column);
      }
      this.#rows += held[0]?.rows ?? 0;
      if (this.#isFull()) yield this.#flushed();
    }
    for (const [at, { buffer }] of this.#columns.entries()) {
      const column = last[at];
      column?.takeBack();
      if (column !== undefined) buffer.add(column.held());
    }
    this.#rows += rows;
    yield this.end();
  }

  #isFull(): boolean {
    const bytes = this.#columns.reduce((sum, { buffer }) => sum + buffer.used, 0);
    return this.#rows >= groupRowsMax || bytes >= groupBytesMax;
  }

  #clear(): void {
    for (const { buffer } of this.#columns) buffer.clear();
    this.#rows = 0;
  }

  #spilled(): Uint8Array {
    this.#takeBack();
    if (this.#rows === 0) return NOTHING;
    this.#isSpilled = true;
    const bytes = spilled(this.#columns.map(({ buffer }) => buffer.held()));
    // Other files need the memory.
    this.#columns = this.#columns.map((column) => ({ ...column, buffer: new ColumnBuffer() }));
    this.#rows = 0;
    return bytes;
  }

  #begin(columns: readonly Column[], rows: readonly Row[]): void {
    if (this.#file !== null) return;
    this.#columns = columns.map((column) => {
      const { name } = column;
      const pick = pickOf(name);
      const values = new Array<unknown>(rows.length);
      pick(rows, values);
      const first = values.find((value) => value !== null && value !== undefined);
      const options = {
        object: this.#name,
        lossy: this.#lossy.get(name),
        onLossy: () => this.#onLossy(name),
      };
      return { ...columnForm(column, first, options), name, pick, buffer: new ColumnBuffer() };
    });
    const root = { name: 'root', num_children: columns.length };
    this.#file = new ParquetWriter({
      writer: this.#bytes,
      schema: [root, ...this.#columns.map(({ element }) => element)],
      createdBy: 'headgate',
    });
  }

  #takeBack(): void {
    for (const { buffer } of this.#columns) buffer.takeBack();
  }

  #flushed(): Uint8Array {
    this.#takeBack();
    if (this.#rows > 0 && this.#file !== null) {
      const from = this.#bytes.offset;
      const chunks = this.#columns.map((column) => this.#encoder.write(this.#bytes, column.buffer, column));
      this.#file.row_groups.push({
        columns: chunks,
        num_rows: BigInt(this.#rows),
        total_byte_size: chunks.reduce(
          (sum, chunk) => sum + (chunk.meta_data?.total_uncompressed_size ?? 0n),
          0n,
        ),
        total_compressed_size: BigInt(this.#bytes.offset - from),
      });
      this.#file.num_rows += BigInt(this.#rows);
      this.#hasGroups = true;
      this.#clear();
    }
    return this.#taken();
  }

  /** What was encoded since the last time; places in the file count on. */
  #taken(): Uint8Array {
    const bytes = this.#bytes.getBytes().slice();
    this.#bytes.index = 0;
    return bytes;
  }
}

/** Code that names its column reads it several times as fast as code that gets the name. */
function pickOf(name: string): GroupColumn['pick'] {
  const key = JSON.stringify(name);
  // Every object inherits a value under some names, such as "constructor".
  const value = name in Object.prototype ? `h(rows[i],${key})?rows[i][${key}]:void 0` : `rows[i][${key}]`;
  const source = `return (rows,values)=>{for(let i=0;i<rows.length;i++)values[i]=${value};};`;
  return new Function('h', source)(Object.hasOwn) as GroupColumn['pick'];
}
