import t from 'tap';
import { type Connection, ConnectorError, type WriteRequest } from '../../../src/drivers/driver.ts';
import { mysqlDriver } from '../../../src/drivers/mysql/driver.ts';
import { withoutMariadb } from '../../support/mariadb.ts';
import { batchOf, column, contextOf, execute, load, never, rowsOf, writeAll } from '../sql/engines.ts';
import { connectDatabase } from './mysql-database.ts';

const skip = withoutMariadb();
const LOADS = 8;
const ROUNDS = 3;

/** Each load has a connector of its own, as processes do. */
async function atOnce(
  url: string,
  use: (connection: Connection, at: number) => Promise<unknown>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: LOADS }, async (_, at) => {
      const connection = await mysqlDriver.connect({ url }, contextOf('/'));
      try {
        await use(connection, at);
      } finally {
        await connection.close();
      }
    }),
  );
}

/** Again, as a run does, where the server ended a load to free others of a deadlock. */
async function unlessDeadlocked(run: () => Promise<void>, attempts = 5): Promise<void> {
  try {
    await run();
  } catch (error) {
    const isDeadlock = error instanceof ConnectorError && error.message.includes('Deadlock found');
    if (!isDeadlock || error.fault !== 'UNAVAILABLE' || attempts === 1) throw error;
    await unlessDeadlocked(run, attempts - 1);
  }
}

const rowsFor = (at: number) => batchOf([0, 1].map((n) => ({ id: at * 2 + n, name: `n${n}`, note: n })));

for (const mode of ['append', 'merge', 'insert_only', 'replace', 'truncate_insert'] as const)
  t.test(`loads that make the same table at once all succeed: ${mode}`, { skip }, async (t) => {
    const { connection: c, url } = await connectDatabase(t);
    for (let round = 0; round < ROUNDS; round += 1) {
      const object = `race_${round}`;
      await atOnce(url, (one, at) => writeAll(one, { mode, object, loadId: String(at) }, rowsFor(at)));
      const wanted = mode === 'replace' || mode === 'truncate_insert' ? 2 : LOADS * 2;
      t.equal(await c.call('count', { table: object }, never), wanted);
    }
  });

t.test('loads that add the same column, or the same index, at once all succeed', { skip }, async (t) => {
  const { connection: c, url } = await connectDatabase(t);
  for (const mode of ['append', 'merge'] as const)
    for (let round = 0; round < ROUNDS; round += 1) {
      const object = `${mode}_${round}`;
      await execute(c, `CREATE TABLE ${object} (id int NOT NULL)`);
      const columnsAreFixed = round % 2 === 0;
      await atOnce(url, (one, at) =>
        writeAll(one, { mode, object, loadId: String(at), columnsAreFixed }, rowsFor(at)),
      );
      const rows = await rowsOf(c, `SELECT COUNT(*) AS n, SUM(note) AS notes FROM ${object}`);
      t.match(rows, [{ n: LOADS * 2, notes: String(LOADS) }], object);
    }
});

t.test('loads whose later rows bring a column, at once, have all of them', { skip }, async (t) => {
  const { connection: c, url } = await connectDatabase(t);
  for (const mode of ['append', 'merge', 'scd2'] as const)
    for (let round = 0; round < ROUNDS; round += 1) {
      const object = `late_${mode}_${round}`;
      const names = { validFrom: 'since', validTo: 'until', current: 'is_current', hash: 'row_hash' };
      const versions = mode === 'scd2' ? { ...names, byLoadTime: false } : null;
      const loadOnce = async (one: Connection, at: number) => {
        const writer = await one.openWriter(load({ mode, object, loadId: String(at), versions }));
        const since = { since: '2024-01-01T00:00:00Z', until: null, is_current: true };
        const hashed = versions === null ? {} : { ...since, row_hash: `h${at}` };
        await writer.write(batchOf([{ id: at, a: 1, ...hashed }]));
        await writer.write(batchOf([{ id: at + 100, a: 1, late: at, ...hashed }]));
        await writer.commit();
      };
      await atOnce(url, (one, at) => unlessDeadlocked(() => loadOnce(one, at)));
      const rows = await rowsOf(c, `SELECT COUNT(*) AS n, SUM(late) AS late FROM ${object}`);
      t.match(rows, [{ n: LOADS * 2, late: '28' }], object);
    }
});

t.test('parts of several loads that make the same table at once all arrive', { skip }, async (t) => {
  const { connection: c, url } = await connectDatabase(t);
  for (const mode of ['append', 'merge', 'replace'] as const) {
    await atOnce(url, async (one, at) => {
      const key = mode === 'merge' ? ['id'] : [];
      const ids = { loadId: `${mode}${at}`, partsId: `${mode}${at}` };
      const fixed = { allowEmpty: false, rowsMayFail: false, columnsAreFixed: true, signal: never };
      const parts = await one.openParts?.({ object: `parts_${mode}`, mode, key, ...ids, ...fixed });
      await parts?.begin(never);
      const part = await parts?.openPart('1', never);
      await part?.write(rowsFor(at));
      await part?.commit();
      await parts?.publish(2, never);
    });
    t.equal(
      await c.call('count', { table: `parts_${mode}` }, never),
      mode === 'replace' ? 2 : LOADS * 2,
      mode,
    );
  }
});

t.test(
  'a load fits into the table that another one has made meanwhile, with other types',
  { skip },
  async (t) => {
    const { connection: c } = await connectDatabase(t);
    const request: Partial<WriteRequest> & { mode: 'append' } = {
      mode: 'append',
      object: 'made',
      loadId: 'late',
    };
    const late = async (value: unknown, loadId: string) => {
      await execute(c, 'DROP TABLE IF EXISTS made');
      const writer = await c.openWriter(load({ ...request, loadId }));
      const rows = Array.from({ length: 150 }, (_, id) => ({ id, v: id === 149 ? value : 'B' }));
      await writer.write({ columns: [column('id', 'integer'), column('v', 'string')], rows });
      await execute(c, `CREATE TABLE made (id smallint, v enum('A','B','ü'), more int DEFAULT 5)`);
      return writer;
    };
    await (await late('ü', 'fits')).commit();
    t.same(await rowsOf(c, 'SELECT * FROM made WHERE id > 147 ORDER BY id'), [
      { id: 148, v: 'B', more: 5 },
      { id: 149, v: 'ü', more: 5 },
    ]);
    const unfit = await late('1', 'does not');
    t.match(await unfit.commit().catch((error: unknown) => error), { fault: 'DATA', column: 'v' });
    t.equal(await c.call('count', { table: 'made' }, never), 0);
  },
);

t.test('a table that goes or changes under a load is no fault of a row', { skip }, async (t) => {
  const { connection: c } = await connectDatabase(t);
  await execute(c, 'CREATE TABLE people (id int PRIMARY KEY, name varchar(9))');
  const writer = await c.openWriter(load({ mode: 'merge', rowsMayFail: true, columnsAreFixed: true }));
  await writer.write(batchOf([]));
  await writer.abort();
  for (const change of ['DROP TABLE people', 'CREATE TABLE people (id int PRIMARY KEY)']) {
    const late = await c.openWriter(load({ mode: 'replace', object: 'people', loadId: change }));
    await late.write(batchOf([{ id: 1, name: 'x' }]));
    await execute(c, change);
    await late.commit();
    t.same(await rowsOf(c, 'SELECT * FROM people'), [{ id: 1, name: 'x' }], change);
    if (change.startsWith('DROP')) await execute(c, 'DROP TABLE people');
  }
});
