import { setTimeout as delay } from 'node:timers/promises';
import type { Test } from 'tap';
import type {
  Batch,
  Column,
  ConnectContext,
  Connection,
  ConnectorError,
  Row,
  WriteRequest,
} from '../../../src/drivers/driver.ts';
import { mysqlDriver } from '../../../src/drivers/mysql/driver.ts';
import { postgresDriver } from '../../../src/drivers/postgres/driver.ts';
import { toBatch } from '../../../src/drivers/sql/row-batch.ts';
import { sqliteDriver } from '../../../src/drivers/sqlite/driver.ts';
import { KEYED_MODES } from '../../../src/language/task/steps/load/load-step.ts';
import { createMariadbDatabase, withoutMariadb } from '../../support/mariadb.ts';
import { createDatabase } from '../../support/postgres.ts';

/** An engine that the shared suites run on. */
export interface Engine {
  readonly name: string;
  /** Why it cannot run here; false where it can. */
  readonly skip?: false | string;
  /** The n-th bound value, from 1. */
  placeholder(index: number): string;
  /** A name in quotes. */
  quoted(name: string): string;
  /** Prepares what the tests below `t` share; gives what opens a connector of an empty database, closed with its test. */
  prepare(t: Test): Promise<(t: Test) => Promise<Connection>>;
}

export const never = new AbortController().signal;

export function contextOf(folder: string): ConnectContext {
  return { fileRoots: [folder], forbiddenFiles: [], connectTimeoutMs: 5_000 };
}

async function closedWith(t: Test, connection: Connection): Promise<Connection> {
  t.teardown(() => connection.close());
  return connection;
}

export const engines: readonly Engine[] = [
  {
    name: 'sqlite',
    placeholder: () => '?',
    quoted: (name) => `"${name.replaceAll('"', '""')}"`,
    prepare: async () => async (t) => {
      const folder = t.testdir();
      const connection = await closedWith(
        t,
        await sqliteDriver.connect({ path: `${folder}/t.db` }, contextOf(folder)),
      );
      // Reading does not make the file.
      await connection.call('execute', { sql: 'PRAGMA user_version = 1' }, never);
      return connection;
    },
  },
  {
    name: 'postgres',
    placeholder: (index) => `$${index}`,
    quoted: (name) => `"${name.replaceAll('"', '""')}"`,
    prepare: async (t) => {
      const { url } = await createDatabase(t);
      let schemas = 0;
      return async (t) => {
        // A schema costs a hundredth of a database.
        schemas += 1;
        const schema = `s${schemas}`;
        const connection = await postgresDriver.connect({ url, schema }, contextOf('/'));
        t.teardown(async () => {
          await execute(connection, `DROP SCHEMA ${schema} CASCADE`);
          await connection.close();
        });
        await execute(connection, `CREATE SCHEMA ${schema}`);
        return connection;
      };
    },
  },
  {
    name: 'mysql',
    skip: withoutMariadb(),
    placeholder: () => '?',
    quoted: (name) => `\`${name.replaceAll('`', '``')}\``,
    prepare: async () => async (t) => {
      const { url } = await createMariadbDatabase(t);
      return closedWith(t, await mysqlDriver.connect({ url }, contextOf('/')));
    },
  },
];

/** What a `ConnectorError` must look like. */
export function fault(kind: ConnectorError['fault'], message?: string | RegExp): { readonly name: string } {
  const wanted = { name: 'ConnectorError', fault: kind };
  return message === undefined ? wanted : Object.assign(wanted, { message });
}

/** Runs each statement, which writes. */
export async function execute(connection: Connection, ...statements: readonly string[]): Promise<void> {
  for (const sql of statements) await connection.call('execute', { sql }, never);
}

export async function rowsOf(
  connection: Connection,
  sql: string,
  params: readonly unknown[] = [],
): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of connection.read({ method: 'query', args: { sql, params }, signal: never })) {
    rows.push(...batch.rows);
  }
  return rows;
}

export function load(request: Partial<WriteRequest> & { readonly mode: WriteRequest['mode'] }): WriteRequest {
  const key = KEYED_MODES.includes(request.mode) ? ['id'] : [];
  return { object: 'people', key, loadId: 'load-1', allowEmpty: false, signal: never, ...request };
}

export function column(name: string, type: Column['type']): Column {
  return { name, type, nullable: true };
}

export const batchOf: (rows: readonly Row[]) => Batch = toBatch;

/** One whole load. */
export async function writeAll(
  connection: Connection,
  request: Partial<WriteRequest> & { readonly mode: WriteRequest['mode'] },
  ...batches: readonly Batch[]
): Promise<number> {
  const writer = await connection.openWriter(load(request));
  try {
    for (const batch of batches) await writer.write(batch);
    return (await writer.commit()).rows;
  } finally {
    await writer.abort();
  }
}

/** Waits until `look` holds. */
export async function until(look: () => Promise<boolean>, waitMs = 10_000): Promise<void> {
  const deadline = Date.now() + waitMs;
  while (!(await look())) {
    if (Date.now() > deadline) throw new Error('It did not happen in time');
    await delay(20);
  }
}
