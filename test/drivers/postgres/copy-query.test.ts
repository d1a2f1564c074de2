import t from 'tap';
import { postgresDriver } from '../../../src/drivers/postgres/driver.ts';
import { createDatabase } from '../../support/postgres.ts';
import { column, contextOf, execute, fault, load, rowsOf } from '../sql/engines.ts';

const columns = [column('id', 'integer'), column('doc', 'json')];

async function connect(t: { teardown(fn: () => unknown): void }) {
  const { url } = await createDatabase(t);
  const c = await postgresDriver.connect({ url }, contextOf('/'));
  t.teardown(() => c.close());
  return c;
}

t.test('a value that has no text takes back its batch, also behind rows that were sent', async (t) => {
  const c = await connect(t);
  const writer = await c.openWriter(load({ mode: 'append' }));
  const rows = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ id: from + i, doc: { text: 'x'.repeat(100) } }));
  await writer.write({ columns, rows: rows(0, 10) });
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  const bad = [...rows(10, 5_000), { id: -1, doc: circular }, ...rows(6_000, 10)];
  await t.rejects(writer.write({ columns, rows: bad }), fault('DATA'));
  await t.rejects(writer.write({ columns, rows: [{ id: -1, doc: circular }] }), fault('DATA'));
  await writer.write({ columns, rows: rows(10_000, 10) });
  t.strictSame(await writer.commit(), { rows: 20 });
  t.strictSame(await rowsOf(c, 'SELECT count(*)::int AS n, min(id) AS least FROM people'), [
    { n: 20, least: 0 },
  ]);
});

t.test('a batch that is longer than the socket takes at once arrives whole', async (t) => {
  const c = await connect(t);
  const writer = await c.openWriter(load({ mode: 'append' }));
  const text = 'é\t\\'.repeat(20_000);
  const rows = Array.from({ length: 400 }, (_, id) => ({ id, doc: text }));
  await writer.write({ columns: [column('id', 'integer'), column('doc', 'string')], rows });
  await writer.commit();
  const sums = await rowsOf(c, 'SELECT count(*)::int AS n, sum(length(doc))::int AS chars FROM people');
  t.strictSame(sums, [{ n: 400, chars: 400 * text.length }]);
});

t.test('a row that a table refuses is told without the table that the load keeps it in', async (t) => {
  const c = await connect(t);
  await execute(c, 'CREATE TABLE people (id int PRIMARY KEY CONSTRAINT small CHECK (id < 1000))');
  const writer = await c.openWriter(load({ mode: 'merge', key: ['id'] }));
  const batch = { columns: [column('id', 'integer')], rows: [{ id: 1 }, { id: 1_000 }] };
  const message = 'A row does not fit: new row violates check constraint "small"';
  await t.rejects(
    writer.write(batch).then(() => writer.commit()),
    { message },
  );
  await writer.abort();
});

t.test('rows that follow a refused COPY are dropped, and the session goes on', async (t) => {
  const c = await connect(t);
  await execute(c, 'CREATE TABLE people (id int CHECK (id < 1000))');
  const writer = await c.openWriter(load({ mode: 'append' }));
  const only = [column('id', 'integer')];
  await writer.write({ columns: only, rows: [{ id: 1 }] });
  const many = Array.from({ length: 200_000 }, (_, id) => ({ id }));
  await t.rejects(writer.write({ columns: only, rows: many }), fault('DATA'));
  await writer.write({ columns: only, rows: [{ id: 2 }] });
  t.strictSame(await writer.commit(), { rows: 2 });
  t.strictSame(await rowsOf(c, 'SELECT id FROM people ORDER BY id'), [{ id: 1 }, { id: 2 }]);
});
