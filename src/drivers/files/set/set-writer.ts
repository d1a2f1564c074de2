import {
  type Batch,
  type Column,
  ConnectorError,
  type Row,
  type WriteRequest,
  type Writer,
} from '../../driver.ts';
import { compressionOf } from '../compression.ts';
import { fileModeOf } from '../file-writer.ts';
import type { FileStorage } from '../storage/file-storage.ts';
import { PartFile } from './part-file.ts';
import type { SetFormat } from './set-format.ts';
import type { SetPattern } from './set-pattern.ts';
import { StagedSet } from './staged-set.ts';

/** Most different values of the columns in the names of a load. */
export const partitionsMax = 1_000;
/** Most files of a load. */
export const setFilesMax = 10_000;
/** What may be held in memory for all open files together. */
const openBytesMax = 32 * 1024 * 1024;

/** The rows of one combination of values. */
interface Partition {
  readonly values: readonly string[];
  /** The files so far, with the open one. */
  parts: number;
  open: PartFile | null;
}

/** A load into the files of a pattern. Rows wait in files of this machine until theirs is whole. */
class SetWriter implements Writer {
  readonly alreadyDone: { readonly rows: number } | null;
  readonly #staged: StagedSet;
  readonly #pattern: SetPattern;
  readonly #format: SetFormat;
  readonly #request: WriteRequest;
  readonly #partitions = new Map<string, Partition>();
  readonly #names = new Set<string>();
  #rows = 0;

  constructor(staged: StagedSet, pattern: SetPattern, format: SetFormat, request: WriteRequest) {
    this.#staged = staged;
    this.#pattern = pattern;
    this.#format = format;
    this.#request = request;
    this.alreadyDone = staged.rowsBefore === null ? null : { rows: staged.rowsBefore };
  }

  async write(batch: Batch): Promise<void> {
    this.#request.signal.throwIfAborted();
    if (batch.rows.length === 0) return;
    const columns = this.#columnsInFiles(batch.columns);
    const groups = [...this.#grouped(batch.rows)];
    this.#requireFewPartitions(groups.map(([key]) => key));
    // Nothing is taken before all of it fits.
    const takes = groups.map(([key, { values, rows }]) => {
      const partition = this.#partitions.get(key) ?? { values, parts: 0, open: null };
      const file = partition.open ?? this.#newFile(partition);
      return { key, partition, file, take: file.prepare({ columns, rows }) };
    });
    for (const { key, partition, file, take } of takes) {
      this.#partitions.set(key, partition);
      if (partition.open === null) {
        partition.open = file;
        partition.parts++;
        this.#takeName(this.#nameOf(partition));
      }
      await take();
      if (this.#pattern.hasParts && file.sizeBytes >= this.#format.partBytes) await this.#end(partition);
    }
    this.#rows += batch.rows.length;
    await this.#boundMemory();
  }

  async commit(): Promise<{ rows: number }> {
    const { signal, mode, allowEmpty } = this.#request;
    signal.throwIfAborted();
    if (this.#rows === 0 && (mode === 'append' || !allowEmpty)) {
      await this.abort();
      return { rows: 0 };
    }
    for (const partition of this.#partitions.values()) {
      signal.throwIfAborted();
      await this.#end(partition);
    }
    await this.#staged.commit(this.#rows);
    return { rows: this.#rows };
  }

  async abort(): Promise<void> {
    for (const { open } of this.#partitions.values()) await open?.close();
    if (this.alreadyDone === null) await this.#staged.abort();
  }

  #columnsInFiles(columns: readonly Column[]): readonly Column[] {
    const { object, columns: wanted, folderColumns } = this.#pattern;
    const missing = wanted.find((name) => columns.every((column) => column.name !== name));
    if (missing !== undefined)
      throw new ConnectorError('CONFIG', `The rows have no column "${missing}", which is in "${object}"`);
    const left = columns.filter(({ name }) => !folderColumns.has(name));
    if (left.length > 0) return left;
    throw new ConnectorError(
      'CONFIG',
      `All columns of the rows are in the folders of "${object}": none is left`,
    );
  }

  #grouped(rows: readonly Row[]): Map<string, { readonly values: string[]; readonly rows: Row[] }> {
    const groups = new Map<string, { readonly values: string[]; readonly rows: Row[] }>();
    for (const row of rows) {
      const values = this.#pattern.valuesOf(row);
      const key = values.join('/');
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { values, rows: [row] });
      else group.rows.push(row);
    }
    return groups;
  }

  #newFile({ values, parts, open }: Partition): PartFile {
    const name = this.#nameOf({ values, parts: parts + 1, open });
    return new PartFile(name, this.#format.contentsOf(name));
  }

  async #end(partition: Partition): Promise<void> {
    const { open } = partition;
    if (open === null) return;
    partition.open = null;
    const name = this.#nameOf(partition);
    await this.#staged.add(name, open.ended(compressionOf(name)));
  }

  /** Files hold rows until there are enough; with many of them open at once, those that hold most give theirs up earlier. */
  async #boundMemory(): Promise<void> {
    const open = [...this.#partitions.values()].flatMap((partition) => partition.open ?? []);
    let held = open.reduce((sum, file) => sum + file.memoryBytes, 0);
    if (held <= openBytesMax) return;
    for (const file of open.toSorted((a, b) => b.memoryBytes - a.memoryBytes)) {
      if (held <= openBytesMax / 2) return;
      held -= file.memoryBytes;
      await file.flush();
    }
  }

  #requireFewPartitions(keys: readonly string[]): void {
    const added = keys.filter((key) => !this.#partitions.has(key)).length;
    if (this.#partitions.size + added <= partitionsMax) return;
    const columns = this.#pattern.columns.map((name) => `"${name}"`).join(', ');
    throw new ConnectorError(
      'CONFIG',
      `The rows have more than ${partitionsMax.toLocaleString('en')} different values of ${columns}, the most files that "${this.#pattern.object}" may be divided into at once; use a column with fewer`,
    );
  }

  #nameOf({ values, parts }: Partition): string {
    return this.#pattern.nameOf(values, parts, this.#staged.stamp);
  }

  #takeName(name: string): void {
    if (this.#names.has(name))
      throw new ConnectorError(
        'CONFIG',
        `Different rows would go into the same file "${name}": give each column of "${this.#pattern.object}" a folder of its own`,
      );
    if (this.#names.size === setFilesMax)
      throw new ConnectorError(
        'CONFIG',
        `The load would make more than ${setFilesMax.toLocaleString('en')} files; set a larger "part_mb" of the connector`,
      );
    this.#names.add(name);
  }
}

/** Opens a load into the files of a pattern. Throws `CONFIG` and `TARGET`. */
export async function openSetWriter(
  files: FileStorage,
  pattern: SetPattern,
  request: WriteRequest,
  format: SetFormat,
): Promise<Writer> {
  const mode = fileModeOf(request, format.title);
  if (mode === 'append' && !pattern.hasParts)
    throw new ConnectorError(
      'CONFIG',
      `An append makes new files, so that "${pattern.object}" needs "{part}" in the names of its files`,
    );
  if (!files.isFolder)
    throw new ConnectorError(
      'CONFIG',
      `"${pattern.object}" names many files: the "path" of this connector must be a folder that exists (elsewhere than on disk, one that ends with "/")`,
    );
  const { loadId, signal } = request;
  const staged = await StagedSet.begin(files, { pattern, mode, loadId, signal });
  return new SetWriter(staged, pattern, format, request);
}
