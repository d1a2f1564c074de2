import type { FileContents } from '../file-writer.ts';

/** The contents of one file among many that are open. */
export interface SetFileContents extends FileContents {
  /** What is held in memory until `flush`, in bytes, about; absent for nothing. */
  heldBytes?(): number;
  flush?(): string | Uint8Array;
  /** Makes the file of what was given until now, where that is not its beginning; undefined where it is, and `end` is what it lacks. */
  made?(given: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> | undefined;
}

/** How the files of a set are written. */
export interface SetFormat {
  /** In messages: `CSV`. */
  readonly title: string;
  /** Bytes after which a file of a set with parts ends, before it is compressed. */
  readonly partBytes: number;
  /** The contents of a new file. */
  contentsOf(name: string): SetFileContents;
}
