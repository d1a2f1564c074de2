import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { closeToOthers, makePrivateFile, makePrivateFolder } from '../../base/files/private-files.ts';
import { prepareSqliteFile } from '../../base/files/sqlite-upkeep.ts';
import { IS_OF_RESULT } from '../metrics-sql.ts';

/** `HgMe`, in the file's header: whose file it is. Source: https://sqlite.org/pragma.html#pragma_application_id. */
const APPLICATION_ID = 0x48_67_4d_65;
/** Grows with each step of `STEPS`; kept in the file's header. */
const VERSION = 1;
/** Waiting for another process's write blocks the file's thread, so it is short; the caller tries again. */
const BUSY_TIMEOUT_MS = 1_000;

const TABLES = `
  create table if not exists points (
    run_id integer not null, attempt integer not null, batch_seq integer not null, idx integer not null,
    at integer not null, name text not null, kind text not null, value real not null, subject text not null,
    tags_json text not null, primary key (run_id, attempt, batch_seq, idx)) without rowid;
  create table if not exists runs (
    run_id integer primary key, task_id integer, task_name text not null, at integer not null,
    attempt integer, status text, duration_ms real, items real);
  create index if not exists runs_of_task on runs (task_id, at, status, duration_ms, items);
  create index if not exists runs_by_age on runs (at);
  create table if not exists step_results (
    run_id integer not null, attempt integer not null, step text not null, task_id integer, at integer not null,
    kind text not null, duration_ms real not null, rows_in real not null, rows_out real not null,
    errors real not null, skipped real not null, primary key (run_id, attempt, step)) without rowid;
  create table if not exists connector_results (
    run_id integer not null, attempt integer not null, connector text not null, task_id integer, at integer not null,
    type text not null, calls real not null, duration_ms real not null, errors real not null,
    primary key (run_id, attempt, connector)) without rowid;
  create index if not exists connector_results_of_task on connector_results
    (task_id, connector, at, type, calls, duration_ms, errors);`;

/** What each version added to the one before. */
const STEPS = [
  `alter table step_results add column item_ms real;
   alter table step_results add column item_p50_ms real;
   alter table step_results add column item_p95_ms real;
   alter table step_results add column item_max_ms real;
   alter table step_results add column in_flight_max real;
   drop index if exists step_results_of_task;
   create index step_results_of_task on step_results (task_id, step, at);
   create index points_of_results on points (run_id, attempt) where ${IS_OF_RESULT};`,
];

/** Thrown where the file is a database of something else; nothing in it was changed. */
export class ForeignFileError extends Error {
  constructor() {
    super('the file is not a metrics database');
    this.name = 'ForeignFileError';
  }
}

/** Opens the file, or makes it. What is committed survives a power cut. `ForeignFileError` for any other database. */
export function openMetricsFile(path: string): DatabaseSync {
  makePrivateFolder(dirname(path));
  if (!existsSync(path)) makePrivateFile(path);
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    requireOurs(database);
    closeToOthers(path);
    prepareSqliteFile(database);
    database.exec('pragma cache_size = -8192');
    database.exec('begin immediate');
    const known = Number(database.prepare('pragma user_version').get()?.['user_version'] ?? 0);
    const added = STEPS.slice(known).join('\n');
    database.exec(`pragma application_id = ${APPLICATION_ID}; ${TABLES} ${added}`);
    database.exec(`pragma user_version = ${Math.max(known, VERSION)}; commit;`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function requireOurs(database: DatabaseSync): void {
  let id: unknown;
  let tables: unknown;
  try {
    id = database.prepare('pragma application_id').get()?.['application_id'];
    tables = database.prepare('select count(*) as count from sqlite_schema').get()?.['count'];
  } catch (cause) {
    if ((cause as { errcode?: number }).errcode === SQLITE_NOTADB) throw new ForeignFileError();
    throw cause;
  }
  if (id !== APPLICATION_ID && (id !== 0 || tables !== 0)) throw new ForeignFileError();
}

const SQLITE_NOTADB = 26;
