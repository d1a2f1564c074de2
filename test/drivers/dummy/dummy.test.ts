import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Connection, Row, WriteRequest } from '../../../src/drivers/driver.ts';
import { dummyDriver } from '../../../src/drivers/dummy/driver.ts';

const signal = new AbortController().signal;

function connect(config: object, root?: string): Promise<Connection> {
  const fileRoots = root === undefined ? [] : [root];
  return dummyDriver.connect(config, { fileRoots, forbiddenFiles: [], connectTimeoutMs: 1_000 });
}

async function rowsOf(connection: Connection, options: object = {}): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of connection.read({ method: 'list', args: {}, signal, ...options }))
    rows.push(...batch.rows);
  return rows;
}

t.test('it gives the scripted rows, makes others, finds one and echoes', async (t) => {
  const scripted = await connect({ rows: [{ id: 1, name: 'a' }, { id: 2 }] });
  t.strictSame(await rowsOf(scripted), [
    { id: 1, name: 'a' },
    { id: 2, name: null },
  ]);
  t.strictSame(await scripted.call('get', { value: 2 }, signal), { id: 2, name: null });
  t.strictSame(await scripted.call('get', { value: 3 }, signal), null);
  t.strictSame(await scripted.call('echo', { value: { a: [1] } }, signal), { a: [1] });
  t.strictSame(await rowsOf(scripted, { args: { where: { id: 1 } } }), [{ id: 1, name: 'a' }]);
  const where = (where: object) => rowsOf(scripted, { args: { where } });
  t.strictSame(await where({ id: { gte: 1, and: [{ lt: 2 }] } }), [{ id: 1, name: 'a' }]);
  t.strictSame(await where({ name: { is_null: true } }), [{ id: 2, name: null }]);
  await t.rejects(where({ id: { like: 1 } }), { name: 'ConnectorError', fault: 'CONFIG' });
  await t.rejects(where({ nosuch: 1 }), { fault: 'CONFIG', message: /no column "nosuch"/ });
  t.strictSame(await scripted.call('get', { value: 2, where: { name: 'a' } }, signal), null);
  const made = await connect({ generate: { count: 2_500, columns: ['id', 'name'] } });
  const rows = await rowsOf(made);
  t.equal(rows.length, 2_500);
  t.strictSame(rows[2_499], { id: 2_500, name: 'name 2500' });
  const page = await made.page({ resource: 'rows', filter: { id: { gt: 2_498 } }, limit: 1, signal });
  t.strictSame(page.rows, [{ id: 2_499, name: 'name 2499' }]);
  t.ok(page.next_cursor);
});

t.test('faults come as scripted, after the rows that are let through', async (t) => {
  const failing = await connect({ rows: [{ id: 1 }], fault: 'AUTH', message: 'refused' });
  await t.rejects(rowsOf(failing), { fault: 'AUTH', message: 'refused' });
  await t.rejects(failing.test(signal), { fault: 'AUTH', message: 'refused' });
  const later = await connect({
    generate: { count: 10, columns: ['id'] },
    fault: 'UNAVAILABLE',
    fail_after: 5,
    message: 'gone',
  });
  const seen: Row[] = [];
  const read = async () => {
    for await (const batch of later.read({ method: 'list', args: {}, signal, batchRows: 2 }))
      seen.push(...batch.rows);
  };
  await t.rejects(read(), { fault: 'UNAVAILABLE', message: 'gone' });
  t.equal(seen.length, 5);
  await t.rejects(async () => connect({ rows: [], typo: 1 }), { fault: 'CONFIG', message: /typo/ });
});

t.test('what hangs or waits ends when it is aborted', async (t) => {
  for (const config of [{ hang: true }, { delay_ms: 600_000 }]) {
    const connection = await connect(config);
    const abort = new AbortController();
    const waiting = connection.call('echo', { value: 1 }, abort.signal);
    setImmediate(() => abort.abort());
    await t.rejects(waiting);
  }
});

t.test('writes are recorded once per load, refused batches are not, and the writer goes on', async (t) => {
  const root = realpathSync(t.testdir({}));
  const config = { record_to: 'seen.ndjson', fail_rows: { field: 'id', values: [3] } };
  const connection = await connect(config, root);
  const request: WriteRequest = {
    object: 'people',
    mode: 'upsert',
    key: ['id'],
    loadId: 'l-1',
    allowEmpty: false,
    signal,
  };
  const columns = [{ name: 'id', type: 'integer', nullable: false } as const];
  const writer = await connection.openWriter(request);
  await writer.write({ columns, rows: [{ id: 1 }, { id: 2 }] });
  await t.rejects(writer.write({ columns, rows: [{ id: 4 }, { id: 3 }] }), {
    fault: 'DATA',
    message: /"3" of "id"/,
  });
  await writer.write({ columns, rows: [{ id: 4 }] });
  t.strictSame(await writer.commit(), { rows: 3 });
  t.strictSame((await connection.openWriter(request)).alreadyDone, { rows: 3 });
  t.strictSame(await connection.call('record', { rows: [{ id: 9 }] }, signal), { rows: 1 });
  const lines = readFileSync(join(root, 'seen.ndjson'), 'utf8').trimEnd().split('\n');
  t.strictSame(
    lines.map((line) => JSON.parse(line)),
    [
      ...[1, 2, 4].map((id) => ({ object: 'people', mode: 'upsert', row: { id } })),
      { object: 'rows', mode: 'record', row: { id: 9 } },
    ],
  );
});
