import type { FileHandle } from 'node:fs/promises';
import type { FoundFile } from './found-file.ts';
import type { SetStore } from './set-store.ts';

/** Most files that a folder lists. */
export const listedFilesMax = 10_000;
/** Most files that one read finds by a pattern. */
export const foundFilesMax = 100_000;

/** A file that was opened for reading. The caller closes the handle. */
export interface OpenedFile {
  /** As the user wrote it. */
  readonly name: string;
  /** Its real path; null for what is no file of this machine's own, or not as it stands there. */
  readonly path: string | null;
  /** `read` may give fewer bytes than asked for, and none only at the end. Reads that follow one another are cheap everywhere. */
  readonly handle: Pick<FileHandle, 'read' | 'close'>;
  /** null where only reading to the end would tell. */
  readonly sizeBytes: number | null;
  /** Changes when the file does. */
  readonly version: string;
  /**
   * Throws `UNAVAILABLE` where the file is not the one that was opened any more: asked once it was read, and whenever reading it fails.
   * Absent where `read` itself throws for that, and where nothing can change.
   */
  readonly requireUnchanged?: (() => Promise<void>) | undefined;
}

export interface StageOptions {
  readonly loadId: string;
  /** `append` begins with a copy of the target; `replace` begins empty. */
  readonly mode: 'append' | 'replace';
}

/**
 * The next contents of a file. States: open, then committed or aborted. Nothing of the target changes before `commit`, which puts the new
 * contents in its place as a whole. Two loads that append to one file cannot lose each other's rows: the second to commit sees that the
 * file has changed since its copy, and fails with `UNAVAILABLE`, to be tried again.
 */
export interface StagedFile {
  /** Rows of an earlier attempt of the same load that has committed; nothing is staged then. */
  readonly alreadyDone: { readonly rows: number } | null;
  /** For the format: to read what it continues, and to cut its end. Null when already done, and where nothing can be continued. */
  readonly handle: FileHandle | null;
  /** True when there was a target to append to. */
  readonly continues: boolean;
  write(bytes: string | Uint8Array): Promise<void>;
  /** Goes back to this size in bytes; the next `write` continues there. */
  cut(sizeBytes: number): void;
  commit(rows: number): Promise<void>;
  /** Removes what is staged; may be called again, and after `commit` it does nothing. */
  abort(): Promise<void>;
}

/**
 * The files of one connector, wherever they are: what is in them is for the drivers of the formats. Names that lead out of the connector's
 * folder are refused. Everything rejects with a `ConnectorError`.
 */
export interface FileStorage {
  /** False when the configuration names one file. */
  readonly isFolder: boolean;
  /** Names of the files with one of the connector's extensions, sorted; hidden files are left out. */
  list(): Promise<readonly string[]>;
  /**
   * The files whose names match a pattern (`*`, `?`, `[a-z]`, `{a,b}`, and `**` over folders), sorted by name; null for the one file of a
   * connector that is no folder. Hidden files and links are left out. Throws `CONFIG` for more than `foundFilesMax`.
   */
  find(pattern: string | null, signal: AbortSignal): Promise<readonly FoundFile[]>;
  /** Opens a file; `name` may be left out when the configuration names a file. Throws `CONFIG`. */
  open(name: string | undefined): Promise<OpenedFile>;
  /** Opens the next contents of a file, which need not exist. Throws `CONFIG` and `TARGET`. */
  stage(name: string, options: StageOptions): Promise<StagedFile>;
  /** The files of a folder that are put in place together; makes the folder. `key` names them among other sets of the folder. */
  set(folder: string, key: string): Promise<SetStore>;
  /** Ends its connections; files that are open are not read any further. */
  close(): Promise<void>;
}
