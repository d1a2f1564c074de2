import { isRecord } from '../../base/json.ts';
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
import { parseInput } from '../files/parse-input.ts';
import type { Committed, PartedLoad, PartsRequest } from '../load-request.ts';
import { callMethod, readStatement, type SqlTarget } from '../sql/call-method.ts';
import type { SqlStatement } from '../sql/flavor.ts';
import { RowsWait } from '../sql/rows-wait.ts';
import { cancelled } from '../sql/session-turns.ts';
import { readTablePage } from '../sql/table-page.ts';
import { type MysqlConfig, mysqlConfig } from './config.ts';
import { openMysqlDigest } from './digest/open-digest.ts';
import { mysqlFlavor, pageFlavor, toCursor } from './flavor.ts';
import { commonColumns, listTables, requireTable, type TableName, tableNameOf } from './introspect.ts';
import { exactRows } from './load/exact-rows.ts';
import { openMysqlParts } from './load/part-stage.ts';
import { mysqlFault } from './mysql-fault.ts';
import { BEGIN_READING, readRows } from './read.ts';
import { requireReadOnlyStatement, requireSingleStatement } from './read-only-statement.ts';
import { recovered, type Session, SessionPool } from './session-pool.ts';
import { resultTypeOf } from './value-type.ts';
import { openMysqlWriter } from './write.ts';

/** Connecting to the server happens with the first call. */
export async function connectMysql(config: unknown, context: ConnectContext): Promise<Connection> {
  const parsed = parseInput(mysqlConfig, config, 'the configuration');
  return new MysqlConnection(parsed, new SessionPool(parsed, context));
}

/**
 * One MySQL or MariaDB database. Read-only execution: the statement is divided as the server does, must be one query without
 * effects, and runs in a READ ONLY transaction that is rolled back. Connect as a user that may do no more than it must.
 */
class MysqlConnection implements Connection, SqlTarget {
  readonly title = 'MySQL';
  readonly flavor = mysqlFlavor;
  readonly #config: MysqlConfig;
  readonly #pool: SessionPool;

  constructor(config: MysqlConfig, pool: SessionPool) {
    this.#config = config;
    this.#pool = pool;
  }

  async test(signal: AbortSignal): Promise<string> {
    return this.#pool.run(signal, async ({ client, isMariaDb }) => {
      const { rows } = await client.query('SELECT version()');
      return `${isMariaDb ? 'MariaDB' : 'MySQL'} ${String(rows[0]?.[0]).split('-')[0]}`;
    });
  }

  async listResources(signal: AbortSignal): Promise<readonly Resource[]> {
    return this.#pool.run(signal, (session) => listTables(session, this.#pool.database));
  }

  async describe(resource: string, signal: AbortSignal): Promise<readonly Column[]> {
    return this.#pool.run(signal, async (session) => {
      return commonColumns(await requireTable(session, resource, this.#pool.database));
    });
  }

  async *read(request: ReadRequest): AsyncGenerator<Batch> {
    const { signal, readOnly = true } = request;
    const isRaw = request.method === 'query';
    const requireQuery = readOnly ? requireReadOnlyStatement : requireSingleStatement;
    const statement = await readStatement(this, request, requireQuery);
    // Whoever wants some rows alone does not make the server wait.
    const isTimed = request.limit !== undefined;
    const wait = new RowsWait(signal, isTimed ? null : this.#config.statement_timeout_ms);
    const session = await this.#pool.take(wait.signal, isRaw ? 'raw' : 'built', isTimed);
    let isBroken = true;
    try {
      // Types are for tables that a load makes, not for whom wants some rows.
      const declared = isTimed ? {} : { declared: { table: this.#tableOf(request) } };
      const options = { ...request, ...declared, readOnly, zeroDates: this.#config.zero_dates };
      yield* wait.timed(readRows(session, statement, options));
      // What a statement that may write has set does not reach the next caller.
      isBroken = session.client.isEnded || (isRaw && !readOnly);
    } catch (error) {
      if (signal.aborted) throw cancelled(error);
      if (wait.fault !== null) throw wait.fault;
      isBroken = !(await recovered(session.client, error));
      throw mysqlFault(error, statement.params.length === 0 ? 'query' : 'read');
    } finally {
      session.release(isBroken);
    }
  }

  async page(request: PageRequest): Promise<Page> {
    const options = { zeroDates: this.#config.zero_dates };
    return this.#pool.run(request.signal, async (session) => {
      const { client } = session;
      const table = await requireTable(session, request.resource, this.#pool.database);
      const declared = new Map(table.columns.map((column) => [column.name, column.declared]));
      await client.query(BEGIN_READING);
      const page = await readTablePage(
        {
          flavor: pageFlavor(table),
          from: table.name.sql,
          columns: commonColumns(table),
          run: async ({ sql, params }, shown) => {
            const { rows, fields } = await client.execute(sql, params);
            const reads = fields.map((field, i) => {
              if (i < shown.length) return resultTypeOf(field, options).read;
              return (value: unknown) => toCursor(value, declared.get(field.orgName) ?? 'decimal');
            });
            return rows.map((values) =>
              values.map((value, i) => {
                const read = reads[i] ?? null;
                return value === null || read === null ? value : read(value);
              }),
            );
          },
        },
        request,
      );
      await client.query('ROLLBACK');
      return page;
    });
  }

  async digest(request: DigestRequest): Promise<Digest | null> {
    return openMysqlDigest(this.#pool, { zeroDates: this.#config.zero_dates }, request);
  }

  async call(method: string, input: unknown, signal: AbortSignal): Promise<unknown> {
    return callMethod(this, method, input, signal);
  }

  async exactRows(table: string, rows: readonly Row[], signal: AbortSignal): Promise<readonly Row[]> {
    const { zero_dates: zeroDates } = this.#config;
    const use = async (session: Session) =>
      exactRows(await requireTable(session, table, this.#pool.database), rows, { object: table, zeroDates });
    return this.#pool.run(signal, use, { purpose: 'write' });
  }

  async openWriter(request: WriteRequest): Promise<Writer> {
    return openMysqlWriter(this.#pool, request);
  }

  async openParts(request: PartsRequest): Promise<PartedLoad<Writer, Committed>> {
    return openMysqlParts(this.#pool, request);
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  #tableOf({ method, args }: ReadRequest): TableName | null {
    if (method !== 'list' || !isRecord(args) || typeof args['table'] !== 'string') return null;
    return tableNameOf(args['table'], this.#pool.database);
  }

  tableSql(table: string): string {
    return tableNameOf(table, this.#pool.database).sql;
  }

  requireSingleStatement(sql: string): void {
    requireSingleStatement(sql);
  }

  async count({ sql, params }: SqlStatement, signal: AbortSignal): Promise<unknown> {
    return this.#pool.run(signal, async ({ client }) => {
      await client.query(BEGIN_READING);
      const { rows } = await client.execute(sql, params);
      await client.query('ROLLBACK');
      return rows[0]?.[0];
    });
  }

  async change(
    { sql, params }: SqlStatement,
    signal: AbortSignal,
    isRaw = false,
  ): Promise<{ readonly rows: number }> {
    const mode = isRaw ? 'raw' : 'built';
    const use = async (session: Session) => {
      const { client } = session;
      const { changed } = await (params.length === 0 ? client.query(sql) : client.execute(sql, params));
      // What a caller's statement has set or begun does not reach the next one.
      if (isRaw) client.destroy();
      return { rows: changed };
    };
    return this.#pool.run(signal, use, { mode, purpose: 'write' });
  }
}
