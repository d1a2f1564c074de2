import { LRUCache } from 'lru-cache';
import type { ClientBase } from 'pg';
import type { Digest, DigestRequest } from '../digest/digest.ts';
import type {
  Batch,
  Column,
  ConnectContext,
  Connection,
  Page,
  PageRequest,
  ReadRequest,
  Resource,
  Row,
  WriteRequest,
  Writer,
} from '../driver.ts';
import type { RowsCopy } from '../engine-file.ts';
import { parseInput } from '../files/parse-input.ts';
import type { Committed, PartedLoad, PartsRequest } from '../load-request.ts';
import { callMethod, readStatement, type SqlTarget } from '../sql/call-method.ts';
import { casePairs } from '../sql/case-pairs.ts';
import type { SqlFlavor, SqlStatement } from '../sql/flavor.ts';
import { listArgs } from '../sql/method-args.ts';
import { RowsWait } from '../sql/rows-wait.ts';
import { cancelled } from '../sql/session-turns.ts';
import { readTablePage } from '../sql/table-page.ts';
import { type PostgresConfig, postgresConfig } from './config.ts';
import { openPostgresDigest } from './digest/open-digest.ts';
import {
  commonColumns,
  findTable,
  listTables,
  type PostgresTable,
  requireTable,
  tableNameOf,
} from './introspect.ts';
import { exactRows } from './load/exact-rows.ts';
import { openPostgresParts } from './load/part-stage.ts';
import { requireNamesOf } from './names.ts';
import { openPostgresWriter } from './open-writer.ts';
import { postgresFault } from './postgres-fault.ts';
import { beginText, readRows } from './read.ts';
import { requireReadOnlyStatement, requireSingleStatement } from './read-only-statement.ts';
import { recovered, SessionPool } from './session-pool.ts';

const READING_CHARS_MAX = 200_000;

/** Connecting to the server happens with the first call. */
export async function connectPostgres(config: unknown, context: ConnectContext): Promise<Connection> {
  const parsed = parseInput(postgresConfig, config, 'the configuration');
  return new PostgresConnection(parsed, new SessionPool(parsed, context));
}

/**
 * One PostgreSQL database. Read-only execution: the statement is parsed and must be a SELECT without effects, and runs in a
 * READ ONLY transaction that is rolled back. Connect as a role that may do no more than it must: a superuser's functions reach
 * the server's files.
 */
class PostgresConnection implements Connection, SqlTarget {
  readonly title = 'PostgreSQL';
  readonly flavor = postgresFlavor;
  readonly #config: PostgresConfig;
  readonly #pool: SessionPool;
  /** Texts that are known to read alone. */
  readonly #reading = new LRUCache<string, true>({ maxSize: READING_CHARS_MAX });

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
    requireNamesOf(request.args);
    const requireQuery = readOnly ? (sql: string) => this.#requireReading(sql) : requireSingleStatement;
    const statement = await readStatement(this, request, requireQuery);
    const { statement_timeout_ms: timeoutMs } = this.#config;
    // Whoever wants some rows alone does not make the server wait.
    const isTimed = request.limit !== undefined;
    const wait = new RowsWait(signal, isTimed ? null : timeoutMs);
    const session = await this.#pool.take(wait.signal);
    let isBroken = true;
    try {
      const statementTimeoutMs = isTimed ? timeoutMs : 0;
      const table = isTimed ? null : await this.#listedTable(session.client, request);
      const options = { ...request, readOnly, statementTimeoutMs, table, signal: wait.signal };
      yield* wait.timed(readRows(session.client, statement, options));
      isBroken = false;
    } catch (error) {
      if (signal.aborted) throw cancelled(error);
      if (wait.fault !== null) throw wait.fault;
      isBroken = !(await recovered(session.client, error));
      const isOwn = request.method === 'query' && statement.params.length === 0;
      throw postgresFault(error, isOwn ? 'query' : 'read');
    } finally {
      session.release(isBroken);
    }
  }

  async rowsCopy(request: ReadRequest): Promise<RowsCopy | null> {
    const { method, limit, signal } = request;
    if ((method !== 'list' && method !== 'query') || limit !== undefined) return null;
    const { sql, params } = await readStatement(this, request, (text) => this.#requireReading(text));
    if (params.length > 0) return null;
    const { PostgresRowsCopy } = await import('./transfer/postgres-rows-copy.ts');
    const timeoutMs = this.#config.statement_timeout_ms;
    const source = { pool: this.#pool, sql, timeoutMs, signal };
    return PostgresRowsCopy.of(source, (client) => this.#listedTable(client, request));
  }

  /** Where rows are loaded from it: what the table declares beyond the types of its columns. */
  async #listedTable(client: ClientBase, { method, args }: ReadRequest): Promise<PostgresTable | null> {
    const list = method === 'list' ? listArgs.safeParse(args) : null;
    return list?.success === true
      ? findTable(client, tableNameOf(list.data.table, this.#config.schema))
      : null;
  }

  /** Dashboards send the same texts again and again. */
  async #requireReading(sql: string): Promise<void> {
    if (this.#reading.has(sql)) return;
    await requireReadOnlyStatement(sql);
    this.#reading.set(sql, true, { size: sql.length + 1 });
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

  async digest(request: DigestRequest): Promise<Digest | null> {
    return openPostgresDigest(this.#pool, this.#config.schema, postgresFlavor, request);
  }

  async call(method: string, input: unknown, signal: AbortSignal): Promise<unknown> {
    requireNamesOf(input);
    return callMethod(this, method, input, signal);
  }

  async exactRows(table: string, rows: readonly Row[], signal: AbortSignal): Promise<readonly Row[]> {
    const { schema } = this.#config;
    return this.#pool.run(signal, (client) => exactRows(client, { table, schema }, rows), 'write');
  }

  async openWriter(request: WriteRequest): Promise<Writer> {
    return openPostgresWriter(this.#pool, this.#config.schema, request);
  }

  async openParts(request: PartsRequest): Promise<PartedLoad<Writer, Committed>> {
    return openPostgresParts(this.#pool, this.#config.schema, request);
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  tableSql(table: string): string {
    return tableNameOf(table, this.#config.schema).sql;
  }

  requireSingleStatement(sql: string): Promise<void> {
    return requireSingleStatement(sql);
  }

  async count({ sql, params }: SqlStatement, signal: AbortSignal): Promise<unknown> {
    return this.#transaction(signal, true, async (client) => {
      const query = { text: sql, values: [...params], rowMode: 'array' } as const;
      return (await client.query<unknown[]>(query)).rows[0]?.[0];
    });
  }

  async change({ sql, params }: SqlStatement, signal: AbortSignal): Promise<{ readonly rows: number }> {
    return this.#transaction(signal, false, async (client) => {
      const { rowCount } = await client.query(sql, [...params]);
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
}

const postgresFlavor: SqlFlavor = {
  placeholder: (index) => `$${index}`,
  defaultWord: 'DEFAULT',
  contains: (column, text, bind) => {
    const pairs = casePairs(text);
    const upper = pairs.map((pair) => pair.upper).join('');
    const lower = pairs.map((pair) => pair.lower).join('');
    const folded = (sql: string) =>
      upper === '' ? `lower(${sql}::text)` : `translate(lower(${sql}::text), '${upper}', '${lower}')`;
    return `strpos(${folded(column)}, ${folded(bind(text))}) > 0`;
  },
  bind: (value) => {
    if (value === null || value === undefined) return null;
    if (value instanceof Uint8Array) return value;
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  },
  // The text of a value is exact for every type, and the comparison gives it the column's type back.
  cursorValue: (column) => `${column}::text`,
  fromCursor: (value) => value,
};
