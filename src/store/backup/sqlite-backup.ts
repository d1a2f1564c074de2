import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { openSqliteFile } from '../sqlite/node-sqlite.ts';
import { logsPathOf } from '../sqlite/open-sqlite.ts';
import { type BackupWriter, PART_BYTES_MAX } from './backup-file.ts';

/** Pages copied in one step, between which the process can do other things. */
const STEP_PAGES = 2_048;
/** Log lines of this time before the copy may belong to attempts that the state does not know. */
const OVERLAP_MS = 600_000;

export const STATE_ENTRY = 'state.db';
export const LOGS_ENTRY = 'state-logs.db';
/** Of metrics files, with their path below the folder of metrics. */
export const METRICS_ENTRY = 'metrics/';

/** A database file, and its name in the backup. */
export interface BackupSource {
  readonly entry: string;
  readonly path: string;
}

/** Told how many bytes were added. */
export type OnBytes = (bytes: number) => void;

/** The files of an embedded store that are there, the state first. */
export function sqliteSources(statePath: string, metrics: readonly BackupSource[]): BackupSource[] {
  const state = resolve(statePath);
  const own = [
    { entry: STATE_ENTRY, path: state },
    { entry: LOGS_ENTRY, path: logsPathOf(state) },
  ];
  return [...own, ...metrics].filter(({ path }) => existsSync(path));
}

/**
 * Adds the files as they are at one moment, while a server may write to them: a read transaction on each begins before any is
 * copied. The copies lie beside the backup for a while, each until it is in it.
 */
export async function backupSqlite(
  sources: readonly BackupSource[],
  writer: BackupWriter,
  backupPath: string,
  onBytes: OnBytes,
): Promise<void> {
  const folder = mkdtempSync(join(dirname(resolve(backupPath)), '.headgate-backup-'));
  const handles = sources.map(({ path }) => openSqliteFile(path, { readOnly: true }));
  try {
    for (const handle of handles) {
      handle.exec('begin');
      handle.prepare('select count(*) from sqlite_schema').get();
    }
    const statePath = join(folder, STATE_ENTRY);
    for (const [index, { entry }] of sources.entries()) {
      const handle = handles[index] as DatabaseSync;
      const copy = entry === STATE_ENTRY ? statePath : join(folder, 'copy.db');
      await backup(handle, copy, { rate: STEP_PAGES });
      handle.close();
      tidy(entry, copy, statePath);
      await addFile(writer, entry, copy, onBytes);
      if (copy !== statePath) rmSync(copy);
    }
  } finally {
    for (const handle of handles) if (handle.isOpen) handle.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export function bytesOf(sources: readonly BackupSource[]): number {
  return sources.reduce((sum, { path }) => sum + statSync(path).size, 0);
}

/**
 * The transactions do not begin at exactly the same time: logs and metrics may hold lines and points of runs, or of attempts, that
 * come after the state. A restored server would give the same ids to others.
 */
function tidy(entry: string, copy: string, statePath: string): void {
  const database = new DatabaseSync(copy);
  try {
    database.exec('pragma journal_mode = delete; pragma synchronous = off');
    // The servers that say in the state that they are running.
    if (entry === STATE_ENTRY) {
      database.exec(`delete from secrets where name like 'server:%'`);
      return;
    }
    database.exec(`attach '${statePath.replaceAll("'", "''")}' as state; begin`);
    if (entry === LOGS_ENTRY) dropUnknownLines(database);
    else database.exec(METRICS_TABLES.map(dropUnknownRuns).join(';'));
    database.exec('commit');
  } finally {
    database.close();
  }
}

const METRICS_TABLES = ['points', 'runs', 'step_results', 'connector_results'];

const dropUnknownRuns = (table: string) =>
  `delete from ${table} where run_id > (select coalesce(max(seq), 0) from state.sqlite_sequence where name = 'runs')`;

function dropUnknownLines(logs: DatabaseSync): void {
  const unknown = logs
    .prepare(
      `select line.run_id, line.attempt from run_log_cursors as line left join state.runs on runs.id = line.run_id
       where line.last_at > ? and (runs.attempt is null or line.attempt > runs.attempt)`,
    )
    .all(Date.now() - OVERLAP_MS);
  for (const table of ['run_logs', 'run_log_cursors']) {
    const remove = logs.prepare(`delete from ${table} where run_id = ? and attempt = ?`);
    for (const { run_id = null, attempt = null } of unknown) remove.run(run_id, attempt);
  }
}

async function addFile(writer: BackupWriter, entry: string, path: string, onBytes: OnBytes): Promise<void> {
  const file = await open(path);
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(PART_BYTES_MAX) });
      if (bytesRead === 0) return;
      writer.add(entry, buffer.subarray(0, bytesRead));
      onBytes(bytesRead);
    }
  } finally {
    await file.close();
  }
}
