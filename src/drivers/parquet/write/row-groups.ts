import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { type Batch, type Column, ConnectorError } from '../../driver.ts';
import type { SetFileContents } from '../../files/set/set-format.ts';
import { type ColumnWriter, columnWriter } from './column-writer.ts';
import { spilled, spilledValues } from './spilled-values.ts';

/** Rows of a group, and the length of their texts in UTF-16 units; it is written when one of them is reached. */
export const groupRowsMax = 50_000;
export const groupCharsMax = 16 * 1024 * 1024;

/** What a value takes in memory beside its text, about. */
const VALUE_BYTES = 32;

const NOTHING = new Uint8Array(0);

/**
 * The bytes of a Parquet file, group by group. Memory holds the rows of one group. Where `flush` asks for them earlier, they are given as
 * they are, and become groups at the end: a file of many small groups is slow to read, and what tells of them fills the memory.
 */
export class RowGroups implements SetFileContents {
  readonly #name: string;
  readonly #bytes = new ByteWriter();
  #names: readonly string[] = [];
  #writers: readonly ColumnWriter[] = [];
  #file: ParquetWriter | null = null;
  /** The values of each column. */
  #values: unknown[][] = [];
  #rows = 0;
  #chars = 0;
  #hasGroups = false;
  /** Rows were given as they are. */
  #isSpilled = false;

  /** `name`: of the file, for messages. */
  constructor(name: string) {
    this.#name = name;
  }

  prepare({ columns, rows }: Batch): () => Uint8Array {
    this.#begin(columns, rows);
    const unknown = columns.find(({ name }) => !this.#names.includes(name));
    if (unknown !== undefined)
      throw new ConnectorError(
        'CONFIG',
        `The file "${this.#name}" has no column "${unknown.name}": a Parquet file has the columns of its first rows`,
      );
    const added = this.#writers.map(({ convert }, index) => {
      const name = this.#names[index] ?? '';
      return rows.map((row) => {
        const value = row[name];
        return value === null || value === undefined ? null : convert(value);
      });
    });
    return () => {
      this.#add(added);
      if (!this.#isFull()) return NOTHING;
      return this.#isSpilled ? this.#spilled() : this.#flushed();
    };
  }

  heldBytes(): number {
    return this.#chars * 2 + this.#rows * this.#names.length * VALUE_BYTES;
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
    const last = this.#values;
    this.#clear();
    for await (const values of spilledValues(given)) {
      this.#add(values);
      if (this.#isFull()) yield this.#flushed();
    }
    this.#add(last);
    yield this.end();
  }

  #add(added: readonly (readonly unknown[])[]): void {
    for (const [index, values] of added.entries()) {
      for (const value of values) {
        this.#values[index]?.push(value);
        if (typeof value === 'string') this.#chars += value.length;
      }
    }
    this.#rows += added[0]?.length ?? 0;
  }

  #isFull(): boolean {
    return this.#rows >= groupRowsMax || this.#chars >= groupCharsMax;
  }

  #clear(): void {
    this.#values = this.#names.map(() => []);
    this.#rows = 0;
    this.#chars = 0;
  }

  #spilled(): Uint8Array {
    if (this.#rows === 0) return NOTHING;
    this.#isSpilled = true;
    const bytes = spilled(this.#values);
    this.#clear();
    return bytes;
  }

  #begin(columns: readonly Column[], rows: Batch['rows']): void {
    if (this.#file !== null) return;
    this.#names = columns.map(({ name }) => name);
    this.#writers = columns.map((column) =>
      columnWriter(
        column,
        rows.map((row) => row[column.name]).find((value) => value !== null && value !== undefined),
      ),
    );
    this.#clear();
    const root = { name: 'root', num_children: columns.length };
    this.#file = new ParquetWriter({
      writer: this.#bytes,
      schema: [root, ...this.#writers.map(({ element }) => element)],
      createdBy: 'headgate',
    });
  }

  #flushed(): Uint8Array {
    if (this.#rows > 0) {
      const columnData = this.#names.map((name, index) => ({ name, data: this.#values[index] ?? [] }));
      void this.#file?.write({ columnData, rowGroupSize: this.#rows });
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
