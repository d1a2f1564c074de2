import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { type Batch, type Column, ConnectorError } from '../../driver.ts';
import type { SetFileContents } from '../../files/set/set-format.ts';
import { type ColumnWriter, columnWriter } from './column-writer.ts';

/** Rows of a group, and the length of their texts in UTF-16 units; it is written when one of them is reached. */
export const groupRowsMax = 50_000;
export const groupCharsMax = 16 * 1024 * 1024;

/** What a value that is no text takes in memory, about. */
const VALUE_BYTES = 16;

/** The bytes of a Parquet file, group by group. Memory holds the rows of one group. */
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
    let chars = 0;
    const added = this.#writers.map(({ convert }, index) => {
      const name = this.#names[index] ?? '';
      return rows.map((row) => {
        const value = row[name];
        if (typeof value === 'string') chars += value.length;
        return value === null || value === undefined ? null : convert(value);
      });
    });
    return () => {
      for (const [index, values] of added.entries())
        for (const value of values) this.#values[index]?.push(value);
      this.#rows += rows.length;
      this.#chars += chars;
      return this.#rows >= groupRowsMax || this.#chars >= groupCharsMax ? this.#flushed() : this.#taken();
    };
  }

  heldBytes(): number {
    return this.#chars * 2 + this.#rows * this.#names.length * VALUE_BYTES;
  }

  /** Ends the group with the rows so far. */
  flush(): Uint8Array {
    return this.#flushed();
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

  #begin(columns: readonly Column[], rows: Batch['rows']): void {
    if (this.#file !== null) return;
    this.#names = columns.map(({ name }) => name);
    this.#writers = columns.map((column) =>
      columnWriter(
        column,
        rows.map((row) => row[column.name]).find((value) => value !== null && value !== undefined),
      ),
    );
    this.#values = columns.map(() => []);
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
      this.#values = this.#names.map(() => []);
      this.#rows = 0;
      this.#chars = 0;
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
