import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { SqliteAdapter, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import { makePrivateFile } from '../../base/files/private-files.ts';

const STATEMENTS_MAX = 500;

/** `begin immediate`: as a writer, so that none fails halfway on a lock. A read-only handle cannot. */
type Begin = 'begin immediate' | 'begin';

/** `node:sqlite` in the shape that kysely's SQLite driver expects, with cached prepared statements. */
class NodeSqliteDatabase implements SqliteDatabase {
  readonly #database: DatabaseSync;
  readonly #begin: Begin;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(database: DatabaseSync, begin: Begin) {
    this.#database = database;
    this.#begin = begin;
  }

  prepare(sql: string): SqliteStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = statementOf(this.#database.prepare(sql === 'begin' ? this.#begin : sql));
    if (this.#statements.size >= STATEMENTS_MAX) this.#statements.clear();
    this.#statements.set(sql, made);
    return made;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }
}

function statementOf(statement: StatementSync): SqliteStatement {
  const values = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
}

/** SQLite's DDL is transactional: a migration that dies leaves nothing behind. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export interface SqliteFileOptions {
  readonly readOnly: boolean;
  /** Longest wait for another process's write, default 10 s. */
  readonly busyTimeoutMs?: number;
  /** The page size of a new file, default 4096: larger pages suit a table that only grows. */
  readonly pageBytes?: number;
}

/**
 * Opens a SQLite file, closed to other users, in WAL mode with `synchronous=FULL`: commits survive a power cut. Source:
 * https://sqlite.org/pragma.html#pragma_synchronous.
 */
export function openSqliteFile(path: string, options: SqliteFileOptions): DatabaseSync {
  if (!options.readOnly) makePrivateFile(path);
  const database = new DatabaseSync(path, {
    readOnly: options.readOnly,
    timeout: options.busyTimeoutMs ?? 10_000,
  });
  // Without effect on a file with tables: it keeps its page size.
  if (!options.readOnly && options.pageBytes !== undefined)
    database.exec(`pragma page_size = ${options.pageBytes}`);
  if (!options.readOnly) database.exec('pragma journal_mode = wal; pragma synchronous = full;');
  database.exec('pragma foreign_keys = on; pragma cache_size = -16384; pragma temp_store = memory;');
  return database;
}

/** kysely's SQLite dialect over an open handle. */
export function nodeSqliteDialect(database: DatabaseSync, begin: Begin = 'begin immediate'): SqliteDialect {
  const dialect = new SqliteDialect({ database: new NodeSqliteDatabase(database, begin) });
  dialect.createAdapter = () => new TransactionalSqliteAdapter();
  return dialect;
}
