import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { SqliteAdapter, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import { makePrivateFile } from '../../base/files/private-files.ts';
import { prepareSqliteFile } from '../../base/files/sqlite-upkeep.ts';
import type { PromptAdapter } from '../kept-query.ts';
import type { SearchingAdapter } from '../lists/name-search.ts';

const STATEMENTS_MAX = 500;
/** Of migrations: a new store runs 450 of them. */
const RUN_ONCE = /^\s*(create|alter|drop)\s/i;

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
    if (RUN_ONCE.test(sql)) return made;
    if (this.#statements.size >= STATEMENTS_MAX) this.#statements.clear();
    this.#statements.set(sql, made);
    return made;
  }

  /** As `PromptAdapter`. */
  rowsNow(sql: string, parameters: readonly unknown[]): object[] | null {
    return this.#database.isTransaction ? null : (this.prepare(sql).all(parameters) as object[]);
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }
}

/**
 * Rows come as arrays and are made objects here: those of `node:sqlite` have no prototype, so that each read of one of their
 * properties is a look-up in a hash table.
 */
function statementOf(statement: StatementSync): SqliteStatement {
  const values = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[];
  const names = () => statement.columns().map(({ name }) => name);
  const known = names();
  const isReader = known.length > 0;
  if (isReader) statement.setReturnArrays(true);
  // SQLite compiles a statement again where a table has got other columns since.
  const namesOf = (row: unknown) => ((row as unknown[]).length === known.length ? known : names());
  return {
    reader: isReader,
    all(parameters) {
      const rows = statement.all(...values(parameters)) as unknown as unknown[][];
      const columns = namesOf(rows[0] ?? known);
      return rows.map((row) => rowOf(columns, row));
    },
    run: (parameters) => statement.run(...values(parameters)),
    *iterate(parameters) {
      for (const row of statement.iterate(...values(parameters)))
        yield rowOf(namesOf(row), row as unknown as unknown[]);
    },
  };
}

/** Of two columns with one name the later one counts. */
function rowOf(names: readonly string[], values: readonly unknown[]): object {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index++) row[names[index] as string] = values[index];
  return row;
}

/** SQLite's DDL is transactional: a migration that dies leaves nothing behind. */
class TransactionalSqliteAdapter extends SqliteAdapter implements SearchingAdapter {
  readonly nameSearch = 'trigram-table';

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Of one connection, unless the settings say otherwise. */
export const CACHE_MB_DEFAULT = 16;

export interface SqliteFileOptions {
  readonly readOnly: boolean;
  /** The most that the page cache of this connection holds. */
  readonly cacheMb?: number;
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
    // Only our own statements reach it; a migration drops constraints in the schema's table.
    defensive: options.readOnly,
  });
  // Without effect on a file with tables: it keeps its page size.
  if (!options.readOnly && options.pageBytes !== undefined)
    database.exec(`pragma page_size = ${options.pageBytes}`);
  if (!options.readOnly) prepareSqliteFile(database);
  const cacheKib = (options.cacheMb ?? CACHE_MB_DEFAULT) * 1_024;
  database.exec(`pragma foreign_keys = on; pragma cache_size = -${cacheKib}; pragma temp_store = memory;`);
  return database;
}

/** kysely's SQLite dialect over an open handle. */
export function nodeSqliteDialect(database: DatabaseSync, begin: Begin = 'begin immediate'): SqliteDialect {
  const handle = new NodeSqliteDatabase(database, begin);
  const dialect = new SqliteDialect({ database: handle });
  dialect.createAdapter = () => {
    const adapter: SqliteAdapter & PromptAdapter = new TransactionalSqliteAdapter();
    if (begin === 'begin') adapter.rowsNow = (sql, parameters) => handle.rowsNow(sql, parameters);
    return adapter;
  };
  return dialect;
}
