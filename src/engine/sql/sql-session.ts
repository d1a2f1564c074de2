import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import { createKeyedMutex } from '../../base/concurrency/keyed-mutex.ts';
import type { Batch } from '../../drivers/driver.ts';
import { bindParams } from '../../drivers/duckdb/bind-params.ts';
import { lockEngine } from '../../drivers/duckdb/engine.ts';
import { NO_SELECT, QueryRefused, requireOwnTables } from '../../drivers/duckdb/own-tables.ts';
import { readColumns } from '../../drivers/duckdb/read-columns.ts';
import { batchesOf } from '../../drivers/duckdb/result-columns.ts';
import type { EngineFile } from '../../drivers/engine-file.ts';
import type { SqlInput } from '../../language/task/steps/sql/sql-step.ts';
import { RunFault } from '../run-fault.ts';
import type { loadDuckDb } from './duckdb.ts';
import { FileTable, isOfFile, mayRead } from './file-table.ts';
import { InputTable } from './input-table.ts';
import { openSqlInstance, type SqlInstance, type SqlInstanceOptions } from './sql-instance.ts';

/** Of one query: each waits for one batch at most. */
const TABLES_MAX = 100;

type DuckDb = Awaited<ReturnType<typeof loadDuckDb>>;

export interface SqlSessionOptions extends SqlInstanceOptions {
  readonly query: string;
  /** The names of its tables. */
  readonly tables: readonly string[];
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * One query over tables of its own, in memory and a folder for what does not fit. Use: tables first, `lock`, then `run`, and `close`
 * always. Nothing of the query is planned before `lock`, after which no statement reaches a file, the network, an extension or a setting.
 */
export class SqlSession {
  readonly #options: SqlSessionOptions;
  readonly #duckdb: DuckDb;
  readonly #instance: SqlInstance;
  readonly #connection: DuckDBConnection;
  readonly #inTurn = createKeyedMutex(TABLES_MAX);
  readonly #files: FileTable[] = [];
  /** null: any. */
  #read: ReadonlySet<string> | null = null;

  private constructor(options: SqlSessionOptions, instance: SqlInstance, connection: DuckDBConnection) {
    this.#options = options;
    this.#duckdb = instance.duckdb;
    this.#instance = instance;
    this.#connection = connection;
  }

  /** Throws a `RunFault` where the engine is missing, and the engine's own error for a query that it cannot read. */
  static async open(options: SqlSessionOptions): Promise<SqlSession> {
    const instance = await openSqlInstance(options);
    try {
      const session = new SqlSession(options, instance, await instance.connect());
      await session.#checkStatement();
      return session;
    } catch (error) {
      instance.close();
      throw error;
    }
  }

  createTable(input: Pick<SqlInput, 'name' | 'columns'>): InputTable {
    return new InputTable(this.#duckdb, this.#connection, (work) => this.#inTurn(['connection'], work), {
      ...input,
      read: this.#read,
    });
  }

  /** Whether the engine reads of a file what the query may read, as its connector would. */
  mayRead(file: EngineFile): boolean {
    return mayRead(file, this.#read);
  }

  /** A table that the engine fills from a file; before `lock`, which allows this file alone. */
  createFileTable({ name }: Pick<SqlInput, 'name'>, file: EngineFile): FileTable {
    const table = new FileTable(this.#connection, {
      name,
      index: this.#files.length,
      file,
      read: this.#read,
    });
    this.#files.push(table);
    return table;
  }

  async lock(): Promise<void> {
    await lockEngine(
      this.#connection,
      this.#files.map(({ file }) => file.path),
    );
  }

  /** The plan of the query, over tables that are all there; null where the engine already fails on one of these files, which are removed then. */
  async planOver(files: readonly FileTable[]): Promise<string | null> {
    try {
      return await this.#plan();
    } catch (error) {
      if (!isOfFile(error)) throw error;
      for (const file of files) await file.remove();
      return null;
    }
  }

  async #plan(): Promise<string> {
    const statement = await this.#prepare(`EXPLAIN (FORMAT JSON) ${this.#options.query}`);
    const found = await statement.runAndReadAll();
    return JSON.stringify(found.getRows().map((row) => row.map(String)));
  }

  /** The rows, in batches of about `batchRows`, computed as they are asked for. */
  async *run(): AsyncGenerator<Batch, void, undefined> {
    const statement = await this.#prepare(this.#options.query);
    if (statement.statementType !== this.#duckdb.StatementType.SELECT) throw this.#refused(NO_SELECT);
    yield* batchesOf(this.#duckdb, await statement.stream());
  }

  /** Ends what the engine does, which then throws. */
  interrupt(): void {
    this.#instance.interrupt();
  }

  close(): void {
    this.#instance.close();
  }

  /** One statement over its own tables, as the engine's own parser reads it. */
  async #checkStatement(): Promise<void> {
    const { query, tables } = this.#options;
    const statements = await this.#connection.extractStatements(query);
    if (statements.count !== 1) throw this.#refused(NO_SELECT);
    try {
      this.#read = readColumns(await requireOwnTables(this.#connection, query, tables));
    } catch (cause) {
      throw cause instanceof QueryRefused ? this.#refused(cause.message) : cause;
    }
  }

  async #prepare(sql: string): Promise<DuckDBPreparedStatement> {
    const statement = await this.#connection.prepare(sql);
    try {
      bindParams(statement, this.#options.params);
    } catch (cause) {
      throw cause instanceof QueryRefused ? this.#refused(cause.message) : cause;
    }
    return statement;
  }

  #refused(message: string): RunFault {
    return new RunFault('SQL_REFUSED', message, { reason: 'config_error', stepId: this.#options.stepId });
  }
}
