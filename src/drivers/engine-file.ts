import type { CastType } from '../language/task/cast/cast-type.ts';

/**
 * Comma-separated text in UTF-8 (RFC 4180) with `\n` at the end of its lines, which another engine may read in place of `read`: the same
 * values in the same order, as long as each has the `form` of its column. An empty field is null, and so is `""` where it is no string.
 */
export interface TextFile {
  readonly format: 'csv';
  /** As the user wrote it. */
  readonly name: string;
  readonly path: string;
  readonly delimiter: string;
  readonly header: boolean;
  readonly columns: readonly {
    readonly name: string;
    readonly type: CastType;
    /** A regular expression for the whole value, without look-around; null: any text. */
    readonly form: string | null;
    /** No value of the form is longer; null: any length. */
    readonly charsMax: number | null;
  }[];
  /** Looks at the rest of it, while an engine reads it. False where it is no such text: what was read of it does not count. */
  isPlain(signal: AbortSignal): Promise<boolean>;
  /** Whether it is still the file that was looked at. */
  isUnchanged(): Promise<boolean>;
}

/** A Parquet file, which another engine may read in place of `read`: the same values in the same order. */
export interface ParquetTable {
  readonly format: 'parquet';
  /** As the user wrote it. */
  readonly name: string;
  readonly path: string;
  readonly columns: readonly {
    readonly name: string;
    readonly type: CastType | 'binary' | 'unknown';
    /** The type of the engine that its values become; null where they are not those of `read`. */
    readonly sqlType: string | null;
  }[];
  /** Whether it is still the file that was looked at. */
  isUnchanged(): Promise<boolean>;
}

/** What an engine may read by itself. */
export type EngineFile = TextFile | ParquetTable;

/** The rows of a read as databases of one kind hand them to each other, in place of batches: the same values in the same order. */
export interface RowsCopy {
  readonly format: 'copy';
  /** The kind: `DriverCapabilities.copies` of both. */
  readonly engine: string;
}

/** What a step may take as a whole, in place of batches. */
export type Whole = EngineFile | RowsCopy;

/** Of a driver: its writers may be a `FileTaker`. */
export interface FileTaking {
  readonly takesFiles?: boolean;
  /** Its connections give copies of this kind, and its writers take them. */
  readonly copies?: string;
}

/** Of a writer, in place of all batches: takes a file as a whole and gives its rows; null where it cannot, and nothing has changed. */
export interface FileTaker {
  takeFile?(file: EngineFile): Promise<number | null>;
  /** The same for a copy; `onRows` is told how many rows have come. */
  takeCopy?(copy: RowsCopy, onRows: (rows: number) => void): Promise<number | null>;
}
