import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t, { type Test } from 'tap';
import { csvDriver } from '../../src/drivers/csv/driver.ts';
import { type Connection, ConnectorError, type Driver } from '../../src/drivers/driver.ts';
import { jsonDriver } from '../../src/drivers/json/driver.ts';
import { charsOf } from '../../src/drivers/row-limits.ts';
import { sqliteDriver } from '../../src/drivers/sqlite/driver.ts';
import { ofFullList } from '../support/fault-list.ts';

const MB = 1_048_576;
const signal = new AbortController().signal;
/** Larger than a row may be. */
const LARGE = 'x'.repeat(17 * MB);
/** Twenty of them are more than a batch takes. */
const MEDIUM = 'y'.repeat(2 * MB);
const TWENTY = Array.from({ length: 20 }, (_, i) => i + 1);

function connect(root: string, driver: Driver, path: string): Promise<Connection> {
  return driver.connect({ path }, { fileRoots: [root], forbiddenFiles: [], connectTimeoutMs: 1_000 });
}

interface Found {
  /** Rows of each batch. */
  readonly batches: readonly number[];
  readonly error: ConnectorError | null;
}

async function read(connection: Connection, method: string, args: object = {}): Promise<Found> {
  const batches: number[] = [];
  try {
    for await (const { rows } of connection.read({ method, args, signal })) batches.push(rows.length);
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    return { batches, error };
  } finally {
    await connection.close();
  }
  return { batches, error: null };
}

/** Reads a file of this text. */
function reader(t: Test, driver: Driver) {
  const root = realpathSync(t.testdir());
  return async (file: string, text: string, args: object = {}): Promise<Found> => {
    writeFileSync(join(root, file), text);
    return read(await connect(root, driver, file), 'read', args);
  };
}

function isRefused(t: Test, { batches, error }: Found, message: string): void {
  t.same([error?.fault, error?.message, batches], ['DATA', message, []]);
}

/** In several batches, none of which is much larger than 32 MB. */
function isSplit(t: Test, { batches, error }: Found): void {
  t.equal(error, null);
  t.equal(
    batches.reduce((sum, rows) => sum + rows, 0),
    TWENTY.length,
  );
  t.ok(Math.max(...batches) <= 17, String(batches));
}

t.test('csv: a line may have 16 MB, a batch 32 MB', ofFullList, async (t) => {
  const readCsv = reader(t, csvDriver);
  const head = 'id,text\n1,a\n';
  const found = await readCsv('long.csv', `${head}2,${LARGE}\n3,b\n`);
  isRefused(
    t,
    { ...found, batches: [] },
    'The file "long.csv", line 3: the record is longer than 16 MB; a quote may not be closed',
  );
  const lines = TWENTY.map((id) => `${id},${MEDIUM}\n`).join('');
  isSplit(t, await readCsv('large.csv', `id,text\n${lines}`));
  isSplit(t, await readCsv('large.csv', `id,text\n${lines}`, { filter: { id: { gt: 0 } } }));
});

t.test('csv: short lines of very many columns make small batches', ofFullList, async (t) => {
  const names = Array.from({ length: 16_384 }, (_, i) => `c${i}`).join(',');
  const options = { ragged: 'pad', typed: false };
  const text = `${names}\n${'1\n'.repeat(600)}`;
  const { batches, error } = await reader(t, csvDriver)('wide.csv', text, options);
  t.equal(error, null);
  t.same(batches, [256, 256, 88]);
});

t.test('json: a record may have 16 MB, a batch 32 MB, in each form of a file', ofFullList, async (t) => {
  const readJson = reader(t, jsonDriver);
  const good = '{"id":1}';
  const large = `{"id":2,"text":"${LARGE}"}`;
  const refused = async (file: string, text: string, where: string, args: object = {}) => {
    const found = await readJson(file, text, args);
    const message = `The file "${file}" has a record longer than 16 MB ${where}`;
    isRefused(t, { ...found, batches: [] }, message);
  };
  await refused('lines.ndjson', `${good}\n${large}\n${good}\n`, 'in line 2');
  await refused('list.json', `[${good},${large},${good}]`, 'after element 1');
  await refused('inside.json', `{"data":[${good},${large}]}`, 'at place 2 of its list', { records: 'data' });
  const records = TWENTY.map((id) => `{"id":${id},"text":"${MEDIUM}"}`);
  isSplit(t, await readJson('deep.json', `{"d":[${records.join(',')}]}`, { records: 'd' }));
});

t.test('sqlite: a row may have 16 MB, a batch and a page 32 MB', async (t) => {
  const root = realpathSync(t.testdir());
  const database = new DatabaseSync(join(root, 'a.db'));
  database.exec(`CREATE TABLE blobs (id INTEGER PRIMARY KEY, value); CREATE TABLE many (id INTEGER PRIMARY KEY, text);
    INSERT INTO blobs VALUES (1, 'a'), (2, zeroblob(${LARGE.length})), (3, 'b')`);
  const insert = database.prepare('INSERT INTO many VALUES (?, ?)');
  for (const id of TWENTY) insert.run(id, MEDIUM);
  database.close();
  const query = async (sql: string) => read(await connect(root, sqliteDriver, 'a.db'), 'query', { sql });
  const message = (row: number) => `The file "a.db", row ${row} of the result: it is larger than 16 MB`;
  isRefused(t, await query('SELECT * FROM blobs ORDER BY id'), message(2));
  isRefused(t, await query(`SELECT 1, zeroblob(${LARGE.length})`), message(1));
  const sum = Array.from({ length: 9 }, () => 'text').join(', ');
  isRefused(t, await query(`SELECT ${sum} FROM many LIMIT 1`), message(1));
  t.same(await query('SELECT id FROM blobs'), { batches: [3], error: null }, 'beside it is read');
  isSplit(t, await query('SELECT * FROM many'));
  const connection = await connect(root, sqliteDriver, 'a.db');
  const page = { resource: 'many', limit: 100, signal };
  await t.rejects(connection.page(page), { fault: 'DATA', message: /page is larger than 32 MB/ });
  t.equal((await connection.page({ ...page, columns: ['id'] })).rows.length, 20);
  await connection.close();
});

t.test('the size of a value counts what is inside, however deep, and no more than asked', async (t) => {
  t.equal(charsOf({ ab: 'cdef', g: [Buffer.alloc(100), null] }, 1_000), 4 * 8 + 4 + 100);
  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  t.ok(charsOf(deep, Number.POSITIVE_INFINITY) > 100_000);
  t.equal(charsOf(Array(1_000).fill('xx'), 10), 8_000);
});
