import { type Batch, type Column, type Conditions, ConnectorError, type Row } from '../driver.ts';
import { withFileStream } from './open-file.ts';
import { asksForFiles, type FilesArgs } from './read-args.ts';
import { rowFilter } from './row-filter.ts';
import { partitionsOf } from './set/partition-value.ts';
import type { FileStorage, OpenedFile } from './storage/file-storage.ts';
import type { FoundFile } from './storage/found-file.ts';

/** What is read of one file. */
export interface FileView {
  /** Names of the columns, in order; null for all. */
  readonly columns: readonly string[] | null;
  readonly filter: Conditions | undefined;
  readonly limit: number | undefined;
}

/** Reads the rows of one file; the caller closes it. */
export type ReadFile = (file: OpenedFile, view: FileView) => AsyncIterable<Batch>;

interface FileRowsRequest {
  readonly storage: FileStorage;
  readonly args: FilesArgs;
  readonly signal: AbortSignal;
  readonly limit: number | undefined;
  /** Found before; absent: they are looked for. */
  readonly found?: readonly FoundFile[] | undefined;
  /** All batches of the read have the same columns, so all files must; see `Driver.capabilities`. */
  readonly areColumnsFixed: boolean;
  readonly read: ReadFile;
}

/** Columns that tell of the file that a row is of. */
interface FileColumns {
  readonly columns: readonly Column[];
  /** Their values for the rows of a file. */
  valuesOf(file: FoundFile): Row;
}

/** `found`: files of which all must tell of the same columns, where those of their folders are asked for. */
function fileColumnsOf(
  { file_column: name, modified_column: modified, partition_columns }: FilesArgs,
  found: readonly FoundFile[],
): FileColumns {
  if (name !== undefined && name === modified)
    throw new ConnectorError(
      'CONFIG',
      `"file_column" and "modified_column" must differ, not both be "${name}"`,
    );
  const columns: Column[] = [];
  if (name !== undefined) columns.push({ name, type: 'string', nullable: false });
  if (modified !== undefined) columns.push({ name: modified, type: 'timestamp', nullable: false });
  const partitions = partition_columns === true ? partitionNames(found) : [];
  for (const partition of partitions) columns.push({ name: partition, type: 'string', nullable: true });
  return {
    columns,
    valuesOf: (file) => ({
      ...(partitions.length === 0 ? {} : Object.fromEntries(partitionsOf(file.name))),
      ...(name === undefined ? {} : { [name]: file.name }),
      ...(modified === undefined ? {} : { [modified]: file.modified }),
    }),
  };
}

function partitionNames(found: readonly FoundFile[]): readonly string[] {
  const [first] = found;
  if (first === undefined) return [];
  const names = [...partitionsOf(first.name).keys()];
  const other = found.find(({ name }) => [...partitionsOf(name).keys()].join('/') !== names.join('/'));
  if (names.length > 0 && other === undefined) return names;
  const file = other?.name ?? first.name;
  const message = `"partition_columns" needs files in folders such as "day=2026-01-31/", the same columns in the same order for each; "${file}" is not`;
  throw new ConnectorError('CONFIG', message);
}

/** The conditions on these columns, and those on others. */
function splitFilter(
  filter: Conditions | undefined,
  { columns }: FileColumns,
): [Conditions, Conditions | undefined] {
  const entries = Object.entries(filter ?? {});
  const isOfFile = ([name]: [string, unknown]) => columns.some((column) => column.name === name);
  const others = entries.filter((entry) => !isOfFile(entry));
  return [
    Object.fromEntries(entries.filter(isOfFile)),
    others.length === 0 ? undefined : Object.fromEntries(others),
  ];
}

function columnsInFile(
  wanted: readonly string[] | undefined,
  { columns }: FileColumns,
): readonly string[] | null {
  if (wanted === undefined) return null;
  const inFile = wanted.filter((name) => columns.every((column) => column.name !== name));
  if (inFile.length > 0) return inFile;
  throw new ConnectorError('CONFIG', 'Name at least one column of the files in "columns", or omit it');
}

/** The columns of a batch with those of its file: where `wanted` names them, else at the end. */
function joinedColumns(
  batch: Batch,
  { columns }: FileColumns,
  wanted: readonly string[] | undefined,
  file: string,
) {
  const taken = columns.find(({ name }) => batch.columns.some((column) => column.name === name));
  if (taken !== undefined) {
    const message = `The file "${file}" has a column "${taken.name}" of its own; use another name for "file_column" or "modified_column", or leave out "partition_columns"`;
    throw new ConnectorError('CONFIG', message);
  }
  const all = [...batch.columns, ...columns];
  if (wanted === undefined) return all;
  const placeOf = ({ name }: Column) => wanted.indexOf(name) + 1 || wanted.length + 1;
  return all.sort((a, b) => placeOf(a) - placeOf(b));
}

/** Throws where a file has other columns than those before it. */
function requireColumns(before: Shape | null, columns: readonly Column[], file: string): Shape {
  const names = columns.map(({ name }) => name);
  if (before === null) return { names, file };
  const missing = before.names.filter((name) => !names.includes(name));
  const added = names.filter((name) => !before.names.includes(name));
  if (missing.length === 0 && added.length === 0) return before;
  const list = (of: readonly string[]) =>
    of
      .slice(0, 5)
      .map((name) => `"${name}"`)
      .join(', ');
  const which = [
    ...(missing.length > 0 ? [`without ${list(missing)}`] : []),
    ...(added.length > 0 ? [`with ${list(added)}`] : []),
  ].join(' and ');
  const message = `The file "${file}" has other columns than "${before.file}": ${which}; read them separately, or list their common columns in "columns"`;
  throw new ConnectorError('DATA', message);
}

interface Shape {
  readonly names: readonly string[];
  readonly file: string;
}

/** The files that the pattern finds. */
async function foundFiles({ storage, args, signal }: Looking): Promise<readonly FoundFile[]> {
  const { files = null } = args;
  const found = await storage.find(files, signal);
  if (found.length === 0 && args.modified_column === undefined)
    throw new ConnectorError(
      'CONFIG',
      files === null
        ? 'The file of this connector does not exist: correct its "path"'
        : `No file matches "${files}" in this connector's folder`,
    );
  return found;
}

/** Those that the filter does not leave out by what is known without opening them. */
function chosenFiles(
  found: readonly FoundFile[],
  own: FileColumns,
  filter: Conditions,
): readonly FoundFile[] {
  const matches = rowFilter({ filters: [filter] }, own.columns);
  return matches === null ? found : found.filter((file) => matches(own.valuesOf(file)));
}

type Looking = Pick<FileRowsRequest, 'storage' | 'args' | 'signal'>;

function requireNoFile({ file }: FilesArgs): void {
  if (file === undefined) return;
  throw new ConnectorError(
    'CONFIG',
    '"file" names one file: leave it out beside "files", "file_column", "modified_column" and "partition_columns"',
  );
}

/** The files that `fileRows` would open, for whoever reads them in shares. Throws `CONFIG` as it does, and where `args` name one file. */
export async function filesToRead(looking: Looking): Promise<readonly FoundFile[]> {
  const { args } = looking;
  if (!asksForFiles(args))
    throw new ConnectorError(
      'CONFIG',
      'Name the files by a pattern in "files": there is nothing to share out',
    );
  requireNoFile(args);
  const all = await foundFiles(looking);
  const own = fileColumnsOf(args, all);
  return chosenFiles(all, own, splitFilter(args.filter, own)[0]);
}

async function* manyFiles(request: FileRowsRequest): AsyncGenerator<Batch, void, undefined> {
  const { storage, args, limit, read } = request;
  requireNoFile(args);
  const all = request.found ?? (await foundFiles(request));
  const own = fileColumnsOf(args, all);
  const [ofFile, filter] = splitFilter(args.filter, own);
  const columns = columnsInFile(args.columns, own);
  let left = limit ?? Number.POSITIVE_INFINITY;
  let shape: Shape | null = null;
  for (const found of chosenFiles(all, own, ofFile)) {
    if (left <= 0) return;
    const values = own.valuesOf(found);
    const view = { columns, filter, limit: limit === undefined ? undefined : left };
    for await (const batch of withFileStream(storage, found.name, (file) => read(file, view))) {
      if (request.areColumnsFixed) shape = requireColumns(shape, batch.columns, found.name);
      left -= batch.rows.length;
      for (const row of batch.rows) Object.assign(row, values);
      yield { ...batch, columns: joinedColumns(batch, own, args.columns, found.name) };
    }
  }
}

/**
 * The rows of the file that `args` name, or of all the files that match the pattern, one file after the other by name. Throws `CONFIG` for
 * arguments that contradict each other, or a pattern that finds nothing, unless only changed files are asked for.
 */
export function fileRows(request: FileRowsRequest): AsyncIterable<Batch> {
  const { storage, args, limit, read } = request;
  const { file: name, columns = null, filter } = args;
  if (asksForFiles(args)) return manyFiles(request);
  return withFileStream(storage, name, (file) => read(file, { columns, filter, limit }));
}
