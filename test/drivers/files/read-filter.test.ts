import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Batch, Connection, Driver, Row } from '../../../src/drivers/driver.ts';
import { scopeArgs } from '../../../src/drivers/scope/scope-args.ts';
import { allDrivers } from '../../support/all-drivers.ts';

const signal = new AbortController().signal;
const drivers = allDrivers;
const ROWS = Array.from({ length: 2_500 }, (_, i) => ({
  id: i + 1,
  tenant: i % 3 === 0 ? 'a' : 'b',
  note: `n${i % 10}`,
}));

const SOURCES = [
  {
    type: 'csv',
    file: 'f.csv',
    text: `id,tenant,note\n${ROWS.map((row) => Object.values(row).join()).join('\n')}\n`,
  },
  { type: 'json', file: 'f.json', text: JSON.stringify(ROWS) },
] as const;

function driverNamed(type: string): Driver {
  const driver = drivers.get(type);
  if (driver === undefined) throw new Error(`no driver "${type}"`);
  return driver;
}

function connect(driver: Driver, root: string, path: string): Promise<Connection> {
  return driver.connect({ path }, { fileRoots: [root], forbiddenFiles: [], connectTimeoutMs: 1_000 });
}

async function batchesOf(connection: Connection, args: unknown, options: object = {}): Promise<Batch[]> {
  const batches: Batch[] = [];
  for await (const batch of connection.read({ method: 'read', args, signal, ...options }))
    batches.push(batch);
  return batches;
}

function rowsIn(batches: readonly Batch[]): Row[] {
  return batches.flatMap((batch) => batch.rows);
}

for (const { type, file, text } of SOURCES) {
  t.test(`${type}: a read is filtered, cut to its columns and ends at its limit`, async (t) => {
    const driver = driverNamed(type);
    const connection = await connect(driver, realpathSync(t.testdir({ [file]: text })), '.');
    const args = { file, filter: { tenant: 'a', id: { gt: 1_000 } } };
    const wanted = ROWS.filter(({ id, tenant }) => tenant === 'a' && id > 1_000);
    t.strictSame(rowsIn(await batchesOf(connection, args)), wanted);
    const cut = await batchesOf(connection, { ...args, columns: ['note'] }, { limit: 250, batchRows: 100 });
    t.strictSame(
      rowsIn(cut),
      wanted.slice(0, 250).map(({ note }) => ({ note })),
    );
    t.strictSame(
      cut.map(({ rows, columns }) => [rows.length, columns.map(({ name }) => name)]),
      [100, 100, 50].map((count) => [count, ['note']]),
    );
    t.strictSame(rowsIn(await batchesOf(connection, { file, filter: { id: { gt: 9_999 } } })), []);
    await t.rejects(batchesOf(connection, { file, filter: { nosuch: 1 } }), {
      name: 'ConnectorError',
      fault: 'CONFIG',
    });
  });

  t.test(`${type}: a scope limits a read and its pages`, async (t) => {
    const driver = driverNamed(type);
    const connection = await connect(driver, realpathSync(t.testdir({ [file]: text })), file);
    const args = scopeArgs(driver, 'read', { filter: { tenant: { ne: 'c' } } }, { tenant: 'a', note: 'n0' });
    const wanted = ROWS.filter(({ tenant, note }) => tenant === 'a' && note === 'n0');
    t.strictSame(rowsIn(await batchesOf(connection, args)), wanted);
    const view = driver.methods[0]?.pageOf?.(args);
    t.equal(view?.resource, '', 'the only file');
    if (view == null) return;
    const page = await connection.page({ ...view, where: [{ id: { gt: 100 } }], limit: 5, signal });
    t.strictSame(page.rows, wanted.filter(({ id }) => id > 100).slice(0, 5));
    const search = { text: '1', columns: ['id'] };
    const found = await connection.page({ ...view, columns: ['note'], search, limit: 3, signal });
    const inside = wanted.filter(({ id }) => String(id).includes('1'));
    t.strictSame(
      found.rows,
      inside.slice(0, 3).map(({ note }) => ({ note })),
    );
    const cursor = found.next_cursor ?? '';
    const next = await connection.page({ ...view, columns: ['note'], search, cursor, limit: 3, signal });
    t.strictSame(
      next.rows,
      inside.slice(3, 6).map(({ note }) => ({ note })),
    );
    await t.rejects(
      connection.page({
        ...view,
        columns: ['note'],
        search: { ...search, text: '2' },
        cursor,
        limit: 3,
        signal,
      }),
      { fault: 'CONFIG', message: /belongs to another filter/ },
    );
  });
}

t.test(
  'a page is of the file that a read names, and there is none where the read says how to read it',
  async (t) => {
    const pageOf = (type: string, args: unknown) => driverNamed(type).methods[0]?.pageOf?.(args);
    for (const type of ['csv', 'json', 'parquet']) {
      t.strictSame(pageOf(type, { file: 'x', columns: ['a'], filter: { a: 1 } }), {
        resource: 'x',
        columns: ['a'],
        filter: { a: 1 },
      });
      t.strictSame(pageOf(type, {}), { resource: '' });
      t.equal(pageOf(type, { nosuch: 1 }), null);
    }
    t.equal(pageOf('csv', { file: 'x', delimiter: ';' }), null);
    t.equal(pageOf('json', { file: 'x', records: 'a' }), null);
    const root = realpathSync(t.testdir({ 'a.csv': 'id\n1\n' }));
    const folder = await connect(driverNamed('csv'), root, '.');
    await t.rejects(folder.page({ resource: '', limit: 1, signal }), { message: /name one of its files/ });
  },
);

t.test('parquet: a read and its pages are filtered past the rows of a page', async (t) => {
  const root = realpathSync(join(import.meta.dirname, '../../../node_modules/vega-datasets/data'));
  const connection = await connect(driverNamed('parquet'), root, 'flights-3m.parquet');
  const late = { delay: { gt: 600 } };
  const wanted = rowsIn(await batchesOf(connection, { columns: ['delay'], filter: late }));
  t.ok(wanted.length > 3 && wanted.every((row) => Number(row['delay']) > 600), `${wanted.length} rows`);
  const request = { resource: '', columns: ['delay'], limit: 3, signal };
  const pages = [{ where: [late] }, { where: [{ delay: { gt: 0 } }, late] }];
  for (const selection of pages)
    t.strictSame((await connection.page({ ...request, ...selection })).rows, wanted.slice(0, 3));
  const search = { text: '6', columns: ['delay'] };
  const found = await connection.page({ ...request, where: [late], search });
  const holding = wanted.filter((row) => String(row['delay']).includes('6'));
  t.strictSame(found.rows, holding.slice(0, 3));
  t.ok(found.next_cursor);
});
