import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Test } from 'tap';
import type { Connection } from '../../src/drivers/driver.ts';
import { mysqlDriver } from '../../src/drivers/mysql/driver.ts';
import { postgresDriver } from '../../src/drivers/postgres/driver.ts';
import { contextOf, execute, rowsOf } from '../drivers/sql/engines.ts';
import { startExecutor } from './executor-process.ts';
import { freePort } from './free-port.ts';
import { createMariadbDatabase } from './mariadb.ts';
import { createDatabase } from './postgres.ts';
import { serve, type TestPlace, until } from './served.ts';

const KEY = '7f0c4d1be2a94c55b7d64a8f1f6a9d03e5b2c8a1';

export interface PartsRun {
  readonly id: number;
  readonly status: string;
  readonly reason: string;
  readonly attempt: number;
  readonly executor_id: number | null;
  readonly items: { readonly in: number; readonly out: number };
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface ShownPart {
  readonly number: number;
  readonly state: string;
  readonly executor: string | null;
  readonly run_id: number | null;
  readonly attempts: number;
  readonly rows: number;
  readonly error: string | null;
}

export interface PartsTask {
  readonly partition: string;
  readonly load: string;
  /** Rows of a batch: small ones make a run long. Default 50. */
  readonly batch?: number;
  readonly retry?: string;
  /** Instead of the table: the connector with the files that are read. */
  readonly files?: { readonly type: string; readonly id: number };
}

const ENGINES = {
  postgres: { driver: postgresDriver, create: (t: TestPlace) => createDatabase(t) },
  mysql: { driver: mysqlDriver, create: (t: TestPlace) => createMariadbDatabase(t) },
} as const;

const ROWS_PER_INSERT = 5_000;

/** A served control plane without an executor of its own, a database with a table `src` of `rows` rows, and a task that copies it to `dst` in parts. */
export async function partsWorld(
  t: TestPlace,
  rows: number,
  settings: Readonly<Record<string, string>> = {},
  engine: keyof typeof ENGINES = 'postgres',
) {
  const { driver, create } = ENGINES[engine];
  const { url } = await create(t);
  const db = await driver.connect({ url }, contextOf(t.testdirName));
  t.teardown(() => db.close());
  await execute(db, 'CREATE TABLE src (id bigint PRIMARY KEY, n integer NOT NULL)');
  for (let from = 1; from <= rows; from += ROWS_PER_INSERT) {
    const count = Math.min(ROWS_PER_INSERT, rows - from + 1);
    const values = Array.from({ length: count }, (_, at) => `(${from + at}, ${from + at})`);
    await execute(db, `INSERT INTO src VALUES ${values.join()}`);
  }
  const grpcPort = await freePort();
  const served = await serve(t, {
    SVC_EXECUTOR_EMBEDDED: 'false',
    SVC_EXECUTOR_KEY: KEY,
    SVC_GRPC_PORT: String(grpcPort),
    SVC_TEST_LEASE_TTL_MS: '2000',
    ...settings,
  });
  const connector = await served.api.post<{ id: number }>('/api/connectors', {
    name: 'db',
    type: engine,
    config: { url },
  });

  /** Executors reach what the server does. */
  const outbound = Object.fromEntries(
    Object.entries(settings).filter(([name]) => name.startsWith('SVC_OUTBOUND')),
  );
  /** `http` of the control plane where `server` says so. */
  const executor = (
    name: string,
    more: readonly string[] = ['--slots', '1'],
    server = `127.0.0.1:${grpcPort}`,
  ) =>
    startExecutor(t, server, KEY, served.folder, ['--name', name, ...more], outbound).then(
      ({ child }) => child,
    );

  let tasks = 0;
  async function start({ partition, load, batch = 50, retry = '', files }: PartsTask): Promise<PartsRun> {
    tasks += 1;
    const yaml = `
version: 1
name: copy_${tasks}
connectors: { db: {type: ${engine}}${files === undefined ? '' : `, files: {type: ${files.type}}`} }
${retry}
steps:
  - { id: read, kind: extract, ${files === undefined ? 'connector: db, method: list, args: {table: src}' : 'connector: files, method: read, args: {files: "**/*.csv"}'}, batch: {size: ${batch}}, partition: ${partition} }
  - { id: shape, kind: transform, input: read, ops: [{set: {twice: "item.n * 2"}}] }
  - { id: write, kind: load, input: shape, connector: db, object: dst, ${load} }
`;
    const task = await served.api.post<{ id: number }>('/api/tasks', { yaml_content: yaml });
    const connectors = { db: connector.id, ...(files !== undefined && { files: files.id }) };
    return served.api.post<PartsRun>(`/api/tasks/${task.id}/runs`, { connectors });
  }

  const run = (id: number) => served.api.get<PartsRun>(`/api/runs/${id}`);
  const parts = async (id: number) =>
    (await served.api.get<{ result: ShownPart[] }>(`/api/runs/${id}/parts`)).result;
  const ended = async (id: number) => {
    const now = await run(id);
    return !['queued', 'running', 'cancelling'].includes(now.status) && now;
  };
  const end = (id: number) => until(`run ${id} ends`, 240_000, () => ended(id), 200);
  const count = async (sql: string) => Number((await rowsOf(db, `SELECT ${sql} AS n`))[0]?.['n']);

  /** Each row of the source is in the target once, rows of before (negative `n`) are `kept`, and no stage is left. */
  async function isCopied(t: Test, kept = 0): Promise<void> {
    t.equal(await count('(SELECT count(*) FROM dst WHERE n > 0)'), rows, 'no row is lost or there twice');
    t.equal(await count('(SELECT count(DISTINCT id) FROM dst WHERE n > 0)'), rows, 'each of them is there');
    t.equal(await count('(SELECT count(*) FROM dst WHERE n < 0)'), kept);
    t.equal(await stages(db), 0, 'no stage is left');
  }

  /** The processes of an executor's runs. */
  const runnersOf = ({ pid }: ChildProcess) =>
    execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
      .split('\n')
      .flatMap((line) => (line.trim() === '' ? [] : [Number(line)]));

  return { served, runnersOf, db, url, executor, start, run, parts, end, count, isCopied, connector };
}

export async function stages(db: Connection): Promise<number> {
  const sql = `SELECT table_name FROM information_schema.tables WHERE table_name LIKE '\\_headgate\\_parts\\_%'`;
  return (await rowsOf(db, sql)).length;
}

/** With its runners, as a machine that loses its power. */
export async function killHard(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
  await delay(10);
}
