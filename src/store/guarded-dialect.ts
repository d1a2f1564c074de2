import type {
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  DialectAdapter,
  Driver,
  QueryCompiler,
  QueryResult,
  TransactionSettings,
} from 'kysely';
import type { StoreAvailability } from './availability.ts';
import type { PromptAdapter } from './kept-query.ts';

/**
 * `dialect` with errors of an unavailable engine as `NOT_READY`. A rollback that fails throws nothing: what made it necessary is
 * the error, and the engine rolls back by itself where its connection or its disk is gone.
 */
export function guardedDialect(dialect: Dialect, availability: StoreAvailability): Dialect {
  return {
    createAdapter: () => guardedAdapter(dialect.createAdapter(), availability),
    createDriver: () => new GuardedDriver(dialect.createDriver(), availability),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: (): QueryCompiler => dialect.createQueryCompiler(),
  };
}

function guardedAdapter(adapter: DialectAdapter & PromptAdapter, availability: StoreAvailability) {
  const { rowsNow } = adapter;
  if (rowsNow === undefined) return adapter;
  adapter.rowsNow = (sql, parameters) => {
    try {
      return rowsNow(sql, parameters);
    } catch (error) {
      throw availability.translate(error);
    }
  };
  return adapter;
}

class GuardedConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;
  readonly #availability: StoreAvailability;

  constructor(inner: DatabaseConnection, availability: StoreAvailability) {
    this.inner = inner;
    this.#availability = availability;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return await this.inner.executeQuery<R>(query);
    } catch (error) {
      throw this.#availability.translate(error);
    }
  }

  streamQuery<R>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<R>> {
    return this.inner.streamQuery<R>(query, chunkSize);
  }
}

class GuardedDriver implements Driver {
  readonly #driver: Driver;
  readonly #availability: StoreAvailability;
  readonly #connections = new WeakMap<DatabaseConnection, GuardedConnection>();

  constructor(driver: Driver, availability: StoreAvailability) {
    this.#driver = driver;
    this.#availability = availability;
  }

  init(): Promise<void> {
    return this.#driver.init();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    try {
      const inner = await this.#driver.acquireConnection();
      let connection = this.#connections.get(inner);
      if (connection === undefined) {
        connection = new GuardedConnection(inner, this.#availability);
        this.#connections.set(inner, connection);
      }
      return connection;
    } catch (error) {
      throw this.#availability.translate(error);
    }
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await this.#driver.beginTransaction(connection, settings);
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#driver.commitTransaction(connection);
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#driver.rollbackTransaction(connection).catch(() => undefined);
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const inner = connection instanceof GuardedConnection ? connection.inner : connection;
    await this.#driver.releaseConnection(inner);
  }

  destroy(): Promise<void> {
    return this.#driver.destroy();
  }
}
