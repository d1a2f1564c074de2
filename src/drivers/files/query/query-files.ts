import { mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeTemporaryFolder } from '../../../base/files/temporary-folder.ts';
import { type Batch, type ConnectContext, ConnectorError, type ReadRequest } from '../../driver.ts';
import { quoteText } from '../../duckdb/identifier.ts';
import type { QueryTable } from '../../duckdb/query-messages.ts';
import { runQuery } from '../../duckdb/run-query.ts';
import { SQL_LIMITS } from '../../duckdb/sql-limits.ts';
import { fileFault } from '../local/file-fault.ts';
import { parseInput } from '../parse-input.ts';
import type { FileStorage, OpenedFile } from '../storage/file-storage.ts';
import { copyInto } from '../storage/spool-file.ts';
import { fileQueryArgs } from './query-args.ts';

/** Most files of one query. */
const queriedFilesMax = 10_000;

interface FileQuery {
  readonly files: FileStorage;
  readonly context: ConnectContext;
  readonly request: Pick<ReadRequest, 'args' | 'signal'> & { readonly limit: number | undefined };
  /** How the engine reads files: `read_csv([…], …)` of a list in its own words. */
  readonly source: (list: string) => string;
}

interface QueriedFile {
  readonly name: string;
  /** Its real path, or that of a copy. */
  readonly path: string;
  readonly version: string;
  /** Of a copy nothing changes. */
  readonly isCopy: boolean;
}

/** The files of one query, and copies of those that are elsewhere. */
class QueriedFiles {
  readonly #files: FileStorage;
  readonly #folder: string;
  readonly #diskBytes: number;
  readonly #found = new Map<string, QueriedFile>();
  #copiedBytes = 0;

  constructor(files: FileStorage, folder: string, diskMb: number) {
    this.#files = files;
    this.#folder = folder;
    this.#diskBytes = diskMb * 1024 * 1024;
  }

  get all(): readonly QueriedFile[] {
    return [...this.#found.values()];
  }

  /** The real paths of the files that match. */
  async pathsOf(pattern: string | null, signal: AbortSignal): Promise<string[]> {
    const names = await this.#namesOf(pattern, signal);
    const paths: string[] = [];
    for (const name of names) {
      signal.throwIfAborted();
      const file = this.#found.get(name) ?? (await this.#open(name));
      this.#found.set(name, file);
      if (this.#found.size > queriedFilesMax)
        throw new ConnectorError('CONFIG', 'A query reads at most 10,000 files; give narrower patterns');
      paths.push(file.path);
    }
    return paths;
  }

  async #namesOf(pattern: string | null, signal: AbortSignal): Promise<readonly string[]> {
    if (pattern !== null && !/[*?[\]{}]/.test(pattern)) return [pattern];
    const found = await this.#files.find(pattern, signal);
    if (found.length > 0) return found.map(({ name }) => name);
    throw new ConnectorError(
      'CONFIG',
      pattern === null
        ? 'The file of this connector does not exist: correct its "path"'
        : `No file matches "${pattern}" in this connector's folder`,
    );
  }

  async #open(name: string): Promise<QueriedFile> {
    const file = await this.#files.open(name);
    try {
      const { path, version } = file;
      return { name, path: path ?? (await this.#copy(file)), version, isCopy: path === null };
    } finally {
      await file.handle.close();
    }
  }

  async #copy({ name, handle, sizeBytes }: OpenedFile): Promise<string> {
    this.#copiedBytes += sizeBytes ?? 0;
    if (this.#copiedBytes > this.#diskBytes)
      throw new ConnectorError(
        'CONFIG',
        'The files are larger than the disk that a query may use (SVC_SQL_DISK_MB); give narrower patterns',
      );
    const path = join(this.#folder, 'copies', name);
    await mkdir(dirname(path), { recursive: true });
    const copy = await open(path, 'wx', 0o600);
    try {
      await copyInto(
        { write: (bytes) => copy.writeFile(bytes) },
        handle,
        sizeBytes ?? Number.POSITIVE_INFINITY,
      );
    } finally {
      await copy.close();
    }
    return path;
  }
}

async function tablesOf(
  { files, source, request }: FileQuery,
  queried: QueriedFiles,
  tables: Readonly<Record<string, string>> | undefined,
): Promise<QueryTable[]> {
  if (tables === undefined && files.isFolder)
    throw new ConnectorError(
      'CONFIG',
      'This connector is a folder: name the files of the query in "tables", such as {"orders": "orders/*.csv"}',
    );
  const made: QueryTable[] = [];
  for (const [name, pattern] of Object.entries(tables ?? { file: null })) {
    const paths = await queried.pathsOf(pattern, request.signal);
    made.push({ name, source: source(`[${paths.map(quoteText).join(', ')}]`) });
  }
  return made;
}

/** Whole numbers are integers of SQL. */
function paramsOf(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const exact = (value: unknown) => (Number.isSafeInteger(value) ? BigInt(value as number) : value);
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, exact(value)]));
}

/** What the engine says names files by their paths, which are nobody's business. */
function withoutPaths(error: unknown, files: readonly QueriedFile[]): unknown {
  if (!(error instanceof ConnectorError)) return error;
  const text = files.reduce((said, { path, name }) => said.replaceAll(path, name), error.message);
  return text === error.message ? error : new ConnectorError(error.fault, text, { cause: error });
}

/** Refuses rows of files that were changed, or put in the place of others, while the engine read them by their paths. */
async function requireUnchanged(files: FileStorage, queried: QueriedFiles): Promise<void> {
  for (const { name, version, isCopy } of queried.all) {
    if (isCopy) continue;
    const now = await files.open(name);
    await now.handle.close();
    if (now.version === version) continue;
    throw new ConnectorError('UNAVAILABLE', `The file "${name}" changed while it was queried`);
  }
}

/** The rows of a SELECT over files, in an engine that has a process of its own and reaches these files alone. */
export async function* queryFiles(query: FileQuery): AsyncGenerator<Batch, void, undefined> {
  const { files, context, request } = query;
  const { signal, limit = Number.POSITIVE_INFINITY } = request;
  const { sql, tables, params } = parseInput(fileQueryArgs, request.args ?? {}, 'the arguments of "query"');
  const limits = { ...SQL_LIMITS, ...context.sql };
  const folder = await makeTemporaryFolder('query').catch((error: unknown) => {
    throw fileFault(error, 'the temporary folder', 'write');
  });
  const queried = new QueriedFiles(files, folder, limits.diskMb);
  try {
    const made = await tablesOf(query, queried, tables);
    const paths = queried.all.map(({ path }) => path);
    const task = {
      sql,
      params: paramsOf(params),
      tables: made,
      paths,
      limits,
      spillFolder: join(folder, 'spill'),
    };
    let left = limit;
    for await (const batch of runQuery(task, signal)) {
      const rows = batch.rows.slice(0, left);
      left -= rows.length;
      yield { ...batch, rows };
      if (left <= 0) break;
    }
    await requireUnchanged(files, queried);
  } catch (error) {
    throw withoutPaths(error, queried.all);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
