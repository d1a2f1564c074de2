import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { csvDriver } from '../../../src/drivers/csv/driver.ts';
import type { Connection, Row } from '../../../src/drivers/driver.ts';
import { jsonDriver } from '../../../src/drivers/json/driver.ts';
import { Rebatch } from '../../../src/engine/pipeline/rebatch.ts';
import { contextOf as driverContext } from '../../drivers/sql/engines.ts';
import { onEachDatabase } from '../support/sql-targets.ts';
import { driversWith, runYaml } from '../support/task-run.ts';

const TEXT = 'x'.repeat(10_000);
const ROWS: readonly Row[] = Array.from({ length: 60 }, (_, id) => ({ id, text: TEXT }));
const columns = [
  { name: 'id', type: 'integer', nullable: false },
  { name: 'text', type: 'string', nullable: false },
] as const;
const signal = new AbortController().signal;

async function sizesOf(connection: Connection, method: string, args: object, batchBytes?: number) {
  const sizes: number[] = [];
  for await (const { rows } of connection.read({ method, args, signal, batchBytes })) sizes.push(rows.length);
  return sizes;
}

const sumOf = (sizes: readonly number[]) => sizes.reduce((sum, rows) => sum + rows, 0);

onEachDatabase(t, {}, async (t, { connection }) => {
  await connection.call('execute', { sql: 'CREATE TABLE wide_rows (id integer, text text)' }, signal);
  for (const { id } of ROWS)
    await connection.call('execute', { sql: `INSERT INTO wide_rows VALUES (${id}, '${TEXT}')` }, signal);
  const bounded = await sizesOf(connection, 'list', { table: 'wide_rows' }, 45_000);
  t.equal(sumOf(bounded), ROWS.length);
  t.ok(Math.max(...bounded) <= 5, String(bounded));
  t.ok(bounded.length < 25, `long rows do not come one by one: ${bounded}`);
  t.same(
    await sizesOf(connection, 'list', { table: 'wide_rows' }),
    [ROWS.length],
    'without a bound as before',
  );
});

t.test('files end a batch where what was read at once reaches the bytes', async (t) => {
  const folder = t.testdir({});
  writeFileSync(join(folder, 'long.csv'), `id,text\n${ROWS.map(({ id }) => `${id},${TEXT}\n`).join('')}`);
  writeFileSync(join(folder, 'long.ndjson'), ROWS.map((row) => `${JSON.stringify(row)}\n`).join(''));
  for (const [driver, path] of [
    [csvDriver, 'long.csv'],
    [jsonDriver, 'long.ndjson'],
  ] as const) {
    const connection = await driver.connect({ path }, driverContext(folder));
    for (const args of [{}, { filter: { id: { gte: 0 } } }]) {
      const sizes = await sizesOf(connection, 'read', args, 45_000);
      t.equal(sumOf(sizes), ROWS.length, path);
      t.ok(sizes.length > 2, `${path} ${sizes}`);
    }
    await connection.close();
  }
});

t.test('a batch of a source without bounds is cut, and each step has a bound of its own', async (t) => {
  const written: number[] = [];
  const drivers = driversWith('dummy', (connection) => ({
    ...connection,
    read: async function* () {
      yield { columns, rows: [...ROWS] };
    },
    openWriter: async () => ({
      alreadyDone: null,
      write: async ({ rows }) => void written.push(rows.length),
      commit: async () => ({ rows: sumOf(written) }),
      abort: async () => undefined,
    }),
  }));
  const run = async (read: string, shape: string, write: string, defaults = '') => {
    written.length = 0;
    const yaml = `version: 1
name: long
connectors: { source: {type: dummy}, target: {type: dummy} }
${defaults}
steps:
  - { id: read, kind: extract, connector: source, method: list${read} }
  - { id: shape, kind: transform, input: read, ops: [{ set: { n: item.id } }]${shape} }
  - { id: write, kind: load, input: shape, connector: target, object: out${write} }
`;
    const connectors = { source: { type: 'dummy', config: {} }, target: { type: 'dummy', config: {} } };
    const { status, failure } = await runYaml({ folder: '/', yaml, connectors, drivers });
    t.same([status, failure, sumOf(written)], ['success', null, ROWS.length]);
    return written.slice();
  };
  t.same(await run('', '', ''), [60]);
  const bytes = ', batch: { max_bytes: 100000 }';
  t.same(await run(bytes, '', bytes), [10, 10, 10, 10, 10, 10]);
  t.same(await run(bytes, bytes, ', batch: { size: 25 }'), [25, 25, 10], 'a load gathers again');
  t.same(await run('', '', ', batch: { size: 7, max_bytes: 100000 }'), [7, 7, 7, 7, 7, 7, 7, 7, 4]);
  t.same(await run('', '', '', 'defaults: { batch: { max_bytes: 300000 } }'), [30, 30]);
});

t.test('one row longer than the bound is a batch, and origins follow the rows', async (t) => {
  const rebatch = new Rebatch(1_000, 25_000, true);
  const rows: Row[] = [1, 9, 2, 3, 4].map((tens) => ({ text: 'y'.repeat(tens * 4_000) }));
  const originOf = (index: number) => ({ record: index + 1 });
  const given = rebatch.push({ columns: columns.slice(1), rows, originOf });
  t.same(
    given.map((batch) => batch.rows.map((_, index) => batch.originOf?.(index)?.record)),
    [
      [1, 2],
      [3, 4, 5],
    ],
  );
  t.equal(rebatch.rest(), null);
});
