import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { makeTemporaryFolder } from '../../../base/files/temporary-folder.ts';
import { giveBackMemory } from '../../../base/idle-memory.ts';
import { type DuckDb, lockEngine, openEngine } from '../../duckdb/engine.ts';
import { quoteName, quoteText } from '../../duckdb/identifier.ts';
import { readPlain } from '../../duckdb/read-plain.ts';
import type { SqlLimits } from '../../duckdb/sql-limits.ts';
import { type ColumnForm, fitsEngine, TextFileSql } from '../../duckdb/text-file-sql.ts';
import type { EngineFile, TextFile } from '../../engine-file.ts';

/** A multiple of the 2,048 rows that the engine handles at once. */
const GROUP_ROWS = 30_720;
const COPY_MB_MIN = 192;
const READ_BYTES = 1024 * 1024;
/** From this size on the time for giving memory back first is a small part of the whole. */
const LARGE_BYTES = 4 * 1024 * 1024;
/** What is about to begin does not hear an interrupt, so that it is repeated. */
const INTERRUPT_MS = 20;
const PREFIX = 'headgate_';

const SECOND = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[T ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?`;
const MOMENT: ColumnForm = {
  // The engine takes any two digits for the hours and minutes of an offset.
  form: String.raw`${SECOND}(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)`,
  sqlType: 'TIMESTAMP WITH TIME ZONE',
};
/** Without exponents, which may lead beyond what a number holds. */
const NUMBER: ColumnForm = {
  form: String.raw`-?(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+)`,
  sqlType: 'DOUBLE',
};
const LOCAL_TIME: ColumnForm = { form: SECOND, sqlType: 'TIMESTAMP' };

export interface TextFileCopy {
  readonly rows: number;
  /** The Parquet file; can be read once, and is gone at the end. A piece is written over by the next one. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface CopyOptions {
  readonly limits: Omit<SqlLimits, 'joinRows'>;
  readonly signal: AbortSignal;
}

/**
 * A text file as Parquet, made by the engine without rows that pass through JavaScript: the same columns and values as `RowGroups` writes.
 * null where that cannot be said of the file, the file has no rows or changes, or there is no engine.
 */
export async function copyTextFile(
  file: EngineFile,
  { limits, signal }: CopyOptions,
): Promise<TextFileCopy | null> {
  if (file.format !== 'csv' || !fitsEngine(file)) return null;
  const duckdb = await import('@duckdb/node-api').catch(() => null);
  if (duckdb === null) return null;
  const folder = await makeTemporaryFolder('copy');
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    if ((await stat(file.path)).size >= LARGE_BYTES) giveBackMemory();
    const rows = await written(duckdb, file, { limits, signal, folder });
    if (rows !== null && rows > 0 && (await file.isUnchanged()))
      return { rows, bytes: bytesOf(await open(pathIn(folder)), remove) };
  } catch {
    // A value that the engine reads differently, or a limit that it met: rows tell which, or go in.
    if (signal.aborted) {
      await remove();
      throw signal.reason;
    }
  }
  await remove();
  return null;
}

function pathIn(folder: string): string {
  return join(folder, 'copy.parquet');
}

async function written(
  duckdb: DuckDb,
  file: TextFile,
  { limits, signal, folder }: CopyOptions & { readonly folder: string },
): Promise<number | null> {
  const memoryMb = Math.min(limits.memoryMb, memoryMbFor(file.columns.length, limits.threads));
  const engine = await openEngine(duckdb, { ...limits, memoryMb }, join(folder, 'spill'));
  const interrupting = setInterval(() => signal.aborted && engine.interrupt(), INTERRUPT_MS);
  try {
    const connection = await engine.connect();
    await lockEngine(connection, [file.path, pathIn(folder)]);
    const sql = new TextFileSql(file, PREFIX);
    const forms = await formsOf(connection, file, sql);
    const columns = file.columns.map(({ name }, at) => `${sql.checked(at, forms[at])} AS ${quoteName(name)}`);
    const copy = `COPY (SELECT ${columns.join(', ')} FROM ${sql.source()}) TO ${quoteText(pathIn(folder))} (FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE ${GROUP_ROWS}, USE_TMP_FILE false)`;
    const made = await readPlain(file, engine.interrupt, () => connection.runAndReadAll(copy));
    return made === null ? null : Number(made.value(0, 0));
  } finally {
    clearInterval(interrupting);
    engine.close();
  }
}

/**
 * What the engine keeps its speed with, in MB. It makes groups out of order, and holds those that are early until their turn comes: with
 * more, it takes more. It sets 4 MB aside for each column of each thread, and works with
 * as much again.
 */
function memoryMbFor(columns: number, threads: number): number {
  return Math.max(COPY_MB_MIN, 32 + 8 * columns * threads);
}

/** Times have a zone or none, as that of the first row; a column without one there holds moments. */
async function formsOf(
  connection: DuckDBConnection,
  { columns }: TextFile,
  sql: TextFileSql,
): Promise<readonly (ColumnForm | undefined)[]> {
  const isLocal = columns.map(({ type }, at) =>
    type === 'timestamp' ? `regexp_full_match(${sql.raw(at)}, ${quoteText(SECOND)})` : 'false',
  );
  const first = await connection.runAndReadAll(`SELECT ${isLocal.join(', ')} FROM ${sql.source()} LIMIT 1`);
  const [found = []] = first.getRows();
  return columns.map(({ type }, at) => {
    if (type === 'number') return NUMBER;
    if (type !== 'timestamp') return undefined;
    return found[at] === true ? LOCAL_TIME : MOMENT;
  });
}

async function* bytesOf(
  handle: FileHandle,
  remove: () => Promise<void>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    // One for all: a new one each time would stay until the next collection, 60 MB of them.
    const block = Buffer.allocUnsafe(READ_BYTES);
    for (let position = 0; ; ) {
      const { bytesRead } = await handle.read(block, 0, READ_BYTES, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield block.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
    await remove();
  }
}
