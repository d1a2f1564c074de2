import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../../base/files/temporary-folder.ts';
import {
  type Batch,
  type ConnectContext,
  type Connection,
  ConnectorError,
  type ReadRequest,
} from '../../driver.ts';
import type { DirectFile } from '../../duckdb/query-messages.ts';
import { runQuery } from '../../duckdb/run-query.ts';
import { SQL_LIMITS } from '../../duckdb/sql-limits.ts';
import { compressionOf } from '../compression.ts';
import { fileFault } from '../local/file-fault.ts';
import { parseInput } from '../parse-input.ts';
import type { FileStorage, OpenedFile } from '../storage/file-storage.ts';
import { fileQueryArgs } from './query-args.ts';
import { tableRows } from './table-rows.ts';

/** Most files of one query. */
const queriedFilesMax = 10_000;
/** Rows that go to the engine at once. */
const SENT_ROWS = 5_000;

export interface FileQuery {
  readonly files: FileStorage;
  readonly context: ConnectContext;
  readonly request: ReadRequest;
  /** What the engine may read of a file by itself, with the same rows as `read`; null for nothing. */
  readonly direct?: (file: OpenedFile, signal: AbortSignal) => Promise<DirectFile | null>;
  /** Of the connection: its method `read`. */
  readonly read: Connection['read'];
}

/** The names of the files that match. */
async function namesOf({ files, request }: FileQuery, pattern: string | null): Promise<readonly string[]> {
  if (pattern !== null && !/[*?[\]{}]/.test(pattern)) return [pattern];
  const found = await files.find(pattern, request.signal);
  if (found.length > queriedFilesMax)
    throw new ConnectorError('CONFIG', 'A query reads at most 10,000 files; give narrower patterns');
  if (found.length > 0) return found.map(({ name }) => name);
  throw new ConnectorError(
    'CONFIG',
    pattern === null
      ? 'The file of this connector does not exist: correct its "path"'
      : `No file matches "${pattern}" in this connector's folder`,
  );
}

/** The files of each table. */
async function filesOfTables(
  query: FileQuery,
  tables: Readonly<Record<string, string>> | undefined,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (tables === undefined && query.files.isFolder)
    throw new ConnectorError(
      'CONFIG',
      'This connector is a folder: name the files of the query in "tables", such as {"orders": "orders/*.csv"}',
    );
  const found = new Map<string, readonly string[]>();
  for (const [name, pattern] of Object.entries(tables ?? { file: null }))
    found.set(name, await namesOf(query, pattern));
  return found;
}

/** Several files, compressed ones, and those in folders of partitions are read as rows. */
async function directOf(
  { files, direct, request }: FileQuery,
  [only, ...others]: readonly string[],
): Promise<DirectFile | null> {
  if (direct === undefined || only === undefined || others.length > 0) return null;
  if (/=[^/]*\//.test(only) || compressionOf(only) !== null) return null;
  const file = await files.open(only);
  try {
    return file.path === null ? null : await direct(file, request.signal);
  } finally {
    await file.handle.close();
  }
}

/** Whole numbers are integers of SQL. */
function paramsOf(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const exact = (value: unknown) => (Number.isSafeInteger(value) ? BigInt(value as number) : value);
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, exact(value)]));
}

/**
 * The rows of a SELECT over files, in an engine that has a process of its own. Its tables have the rows that `read` gives: the engine reads
 * a file by itself only where that is known to be the same.
 */
export async function* queryFiles(query: FileQuery): AsyncGenerator<Batch, void, undefined> {
  const { context, request, read } = query;
  const { signal, limit = Number.POSITIVE_INFINITY } = request;
  const { sql, tables, params } = parseInput(fileQueryArgs, request.args ?? {}, 'the arguments of "query"');
  const named = await filesOfTables(query, tables);
  const folder = await makeTemporaryFolder('query').catch((error: unknown) => {
    throw fileFault(error, 'the temporary folder', 'write');
  });
  try {
    const made = [];
    for (const [name, files] of named) made.push({ name, file: await directOf(query, files) });
    const task = {
      sql,
      params: paramsOf(params),
      tables: made,
      limits: { ...SQL_LIMITS, ...context.sql },
      spillFolder: join(folder, 'spill'),
    };
    const readFile = (file: string) =>
      read({ method: 'read', args: { file }, signal, log: request.log, batchRows: SENT_ROWS });
    const rowsOf = (table: string) => tableRows(table, named.get(table) ?? [], readFile, request.log);
    let left = limit;
    for await (const batch of runQuery(task, rowsOf, signal)) {
      const rows = batch.rows.slice(0, left);
      left -= rows.length;
      yield { ...batch, rows };
      if (left <= 0) break;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
