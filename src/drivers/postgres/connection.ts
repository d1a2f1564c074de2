import type { ClientBase } from 'pg';
import {
  type Batch,
  type Column,
  type Connection,
  ConnectorError,
  type Page,
  type PageRequest,
  type ReadRequest,
  type Resource,
  type WriteRequest,
  type Writer,
} from '../driver.ts';
import { parseInput } from '../files/parse-input.ts';
import { writeCount, writeDelete, writeInsert, writeUpdate } from '../sql/change.ts';
import type { SqlStatement } from '../sql/flavor.ts';
import { quoteIdentifier } from '../sql/identifier.ts';
import { loadRows } from '../sql/load-rows.ts';
import * as args from '../sql/method-args.ts';
import { parseSort, writeSelect } from '../sql/select.ts';
import { readTablePage } from '../sql/table-page.ts';
import type { PostgresConfig } from './config.ts';
import { commonColumns, listTables, requireTable, tableNameOf } from './introspect.ts';
import { postgresFault } from './postgres-fault.ts';
import { postgresFlavor } from './postgres-flavor.ts';
import { beginText, readRows } from './read.ts';
import { requireReadOnlyStatement, requireSingleStatement } from './read-only-statement.ts';
import { cancelled, recovered, type SessionPool } from './session-pool.ts';
import { openPostgresWriter } from './write.ts';

/**
 * One PostgreSQL database. Read-only execution: the statement is parsed and must be a SELECT without effects, and runs in a
 * READ ONLY transaction that is rolled back. Connect as a role that may do no more than it must: a superuser's functions reach
 * the server's files.
 */
export class PostgresConnection implements Connection {
  readonly #config: PostgresConfig;
  readonly #pool: SessionPool;

  constructor(config: PostgresConfig, pool: SessionPool) {
    this.#config = config;
    this.#pool = pool;
  }

  async test(signal: AbortSignal): Promise<string> {
    return this.#pool.run(signal, async (client) => {
      const { rows } = await client.query<{ version: string; super: boolean }>(
        `SELECT current_setting('server_version') AS version, current_setting('is_superuser')::boolean AS super`,
      );
      const [row] = rows;
      return `PostgreSQL ${row?.version.split(' ')[0]}${row?.super === true ? ' (as a superuser: use a lesser role)' : ''}`;
    });
  }

  async listResources(signal: AbortSignal): Promise<readonly Resource[]> {
    return this.#pool.run(signal, (client) => listTables(client, this.#config.schema));
  }

  async describe(resource: string, signal: AbortSignal): Promise<readonly Column[]> {
    return this.#pool.run(signal, async (client) => {
      return commonColumns(await requireTable(client, resource, this.#config.schema));
    });
  }

  async *read(request: ReadRequest): AsyncGenerator<Batch> {
    const { signal, readOnly = true } = request;
    const statement = await this.#readStatement(request, readOnly);
    const session = await this.#pool.take(signal);
    let isBroken = true;
    try {
      const statementTimeoutMs = this.#config.statement_timeout_ms;
      yield* readRows(session.client, statement, { ...request, readOnly, statementTimeoutMs });
      isBroken = false;
    } catch (error) {
      if (signal.aborted) throw cancelled(error);
      isBroken = !(await recovered(session.client, error));
      throw postgresFault(error, 'read');
    } finally {
      session.release(isBroken);
    }
  }

  async page(request: PageRequest): Promise<Page> {
    return this.#pool.run(request.signal, async (client) => {
      const table = await requireTable(client, request.resource, this.#config.schema);
      await client.query(
        beginText({ readOnly: true, statementTimeoutMs: this.#config.statement_timeout_ms }),
      );
      const page = await readTablePage(
        {
          flavor: postgresFlavor,
          from: table.name.sql,
          columns: commonColumns(table),
          run: async ({ sql, params }) => {
            return (await client.query<unknown[]>({ text: sql, values: [...params], rowMode: 'array' })).rows;
          },
        },
        request,
      );
      await client.query('ROLLBACK');
      return page;
    });
  }

  async call(method: string, input: unknown, signal: AbortSignal): Promise<unknown> {
    const what = 'the arguments';
    switch (method) {
      case 'get': {
        const { table, key } = parseInput(args.getArgs, input, what);
        for await (const batch of this.read({
          method: 'list',
          args: { table, filter: key, limit: 1 },
          signal,
        })) {
          return batch.rows[0] ?? null;
        }
        return null;
      }
      case 'count': {
        const { table, filter } = parseInput(args.countArgs, input, what);
        return this.#count(writeCount(this.#tableSql(table), filter, postgresFlavor), signal);
      }
      case 'insert': {
        const { table, rows } = parseInput(args.insertArgs, input, what);
        return this.#change(writeInsert(this.#tableSql(table), rows, postgresFlavor), signal);
      }
      case 'update': {
        const { table, set, filter } = parseInput(args.updateArgs, input, what);
        return this.#change(writeUpdate(this.#tableSql(table), set, filter, postgresFlavor), signal);
      }
      case 'delete': {
        const { table, filter } = parseInput(args.deleteArgs, input, what);
        return this.#change(writeDelete(this.#tableSql(table), filter, postgresFlavor), signal);
      }
      case 'execute': {
        const { sql, params } = parseInput(args.queryArgs, input, what);
        await requireSingleStatement(sql);
        return this.#change({ sql, params: params.map(postgresFlavor.bind) }, signal);
      }
      case 'upsert':
      case 'merge':
        return loadRows(
          (writing) => this.openWriter(writing),
          method,
          parseInput(args.upsertArgs, input, what),
          signal,
        );
      default:
        throw new ConnectorError('CONFIG', `"${method}" is not a method that PostgreSQL can call`);
    }
  }

  async openWriter(request: WriteRequest): Promise<Writer> {
    return openPostgresWriter(this.#pool, this.#config.schema, request);
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  #tableSql(table: string): string {
    return tableNameOf(table, this.#config.schema).sql;
  }

  async #count(statement: SqlStatement, signal: AbortSignal): Promise<unknown> {
    return this.#transaction(signal, true, async (client) => {
      const { rows } = await client.query<unknown[]>({
        text: statement.sql,
        values: [...statement.params],
        rowMode: 'array',
      });
      return rows[0]?.[0];
    });
  }

  async #change(statement: SqlStatement, signal: AbortSignal): Promise<{ readonly rows: number }> {
    return this.#transaction(signal, false, async (client) => {
      const { rowCount } = await client.query(statement.sql, [...statement.params]);
      return { rows: rowCount ?? 0 };
    });
  }

  async #transaction<T>(
    signal: AbortSignal,
    readOnly: boolean,
    use: (client: ClientBase) => Promise<T>,
  ): Promise<T> {
    return this.#pool.run(
      signal,
      async (client) => {
        await client.query(beginText({ readOnly, statementTimeoutMs: this.#config.statement_timeout_ms }));
        const result = await use(client);
        await client.query(readOnly ? 'ROLLBACK' : 'COMMIT');
        return result;
      },
      readOnly ? 'read' : 'write',
    );
  }

  async #readStatement(request: ReadRequest, readOnly: boolean): Promise<SqlStatement> {
    if (request.method === 'query') {
      const { sql, params } = parseInput(args.queryArgs, request.args, 'the arguments');
      await (readOnly ? requireReadOnlyStatement(sql) : requireSingleStatement(sql));
      return { sql, params: params.map(postgresFlavor.bind) };
    }
    if (request.method !== 'list') {
      throw new ConnectorError(
        'CONFIG',
        `"${request.method}" is not a method that gives rows; use "query" or "list"`,
      );
    }
    const list = parseInput(args.listArgs, request.args, 'the arguments');
    const items =
      list.columns === undefined || list.columns.length === 0 ? ['*'] : list.columns.map(quoteIdentifier);
    const limit = Math.min(list.limit ?? Number.POSITIVE_INFINITY, request.limit ?? Number.POSITIVE_INFINITY);
    const sort = parseSort(list.sort);
    const from = this.#tableSql(list.table);
    return writeSelect(
      { from, items, filters: [list.filter], sort, ...(Number.isFinite(limit) ? { limit } : {}) },
      postgresFlavor,
    );
  }
}
