import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { readOnlyCall } from '../../src/drivers/read-only-call.ts';
import { scopeArgs } from '../../src/drivers/scope/scope-args.ts';
import { allDrivers } from '../support/all-drivers.ts';
import { contextOf, fault, never } from './sql/engines.ts';

const drivers = allDrivers;

t.test('every connector tells of its resources and their columns, as rows', async (t) => {
  const folder = t.testdir();
  writeFileSync(join(folder, 'people.csv'), 'id,name\n1,Ann\n2,\n');
  const database = new DatabaseSync(join(folder, 'shop.db'));
  database.exec('create table orders (id integer primary key, customer text not null)');
  database.close();
  const configs: Record<string, unknown> = {
    csv: { path: join(folder, 'people.csv') },
    sqlite: { path: join(folder, 'shop.db') },
    dummy: { rows: [{ id: 1, name: 'Ann' }] },
  };
  const names: Record<string, string[]> = {
    csv: ['id', 'name'],
    sqlite: ['id', 'customer'],
    dummy: ['id', 'name'],
  };
  for (const [type, config] of Object.entries(configs)) {
    const driver = drivers.get(type);
    if (driver === undefined) throw new Error(type);
    const connection = await driver.connect(config, contextOf(folder));
    t.teardown(() => connection.close());
    const ask = (method: string, args: unknown) =>
      readOnlyCall(driver, connection, { method, args, rowsMax: 100, signal: never }) as Promise<
        { name: string; type: string }[]
      >;
    const resources = await ask('resources', {});
    t.equal(resources.length, 1, type);
    const columns = await ask('columns', { resource: resources[0]?.name });
    t.strictSame(
      columns.map(({ name }) => name),
      names[type],
    );
    t.ok(columns.every((column) => typeof column.type === 'string' && 'nullable' in column));
    await t.rejects(ask('columns', { table: 'x' }), fault('CONFIG', /arguments of "columns"/));
    await t.rejects(ask('resources', { x: 1 }), fault('CONFIG'));
    t.strictSame(scopeArgs(driver, 'columns', { resource: 'a' }, { tenant: 1 }), { resource: 'a' });
    t.equal(
      (await connection.page({ resource: resources[0]?.name ?? '', limit: 1, signal: never })).rows.length <=
        1,
      true,
    );
  }
  const csv = drivers.get('csv');
  const connection = await csv?.connect(configs['csv'], contextOf(folder));
  if (csv === undefined || connection === undefined) throw new Error('csv');
  t.teardown(() => connection.close());
  const only = await readOnlyCall(csv, connection, {
    method: 'columns',
    args: {},
    rowsMax: 100,
    signal: never,
  });
  t.equal((only as object[]).length, 2, 'the only file needs no name');
});
