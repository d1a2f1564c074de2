import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { csvDriver } from '../../../src/drivers/csv/driver.ts';
import type { Batch, Connection, Row, WriteRequest } from '../../../src/drivers/driver.ts';

const signal = new AbortController().signal;

async function connect(root: string, config: object = {}): Promise<Connection> {
  const context = { fileRoots: [root], forbiddenFiles: [], connectTimeoutMs: 1_000 };
  return csvDriver.connect({ path: '.', ...config }, context);
}

function batchOf(rows: Row[]): Batch {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return { columns: names.map((name) => ({ name, type: 'unknown', nullable: true })), rows };
}

function request(object: string, loadId: string, more: Partial<WriteRequest> = {}): WriteRequest {
  return { object, loadId, mode: 'append', key: [], allowEmpty: false, signal, ...more };
}

async function load(connection: Connection, wanted: WriteRequest, ...batches: Row[][]): Promise<number> {
  const writer = await connection.openWriter(wanted);
  for (const rows of batches) await writer.write(batchOf(rows));
  return (await writer.commit()).rows;
}

t.test(
  'what is written is read back: quotes, line breaks, null and the empty text, nested values',
  async (t) => {
    const root = realpathSync(t.testdir({}));
    const connection = await connect(root);
    const rows = [
      { id: 1, text: 'a "b"\n,c', none: null, empty: '', list: [1, 'x'], on: true },
      { id: 2, text: ' blank', none: null, empty: '', list: null, on: false },
    ];
    t.equal(await load(connection, request('new.csv', 'load-1', { mode: 'replace' }), rows), 2);
    const read: Row[] = [];
    for await (const batch of connection.read({ method: 'read', args: { file: 'new.csv' }, signal })) {
      read.push(...batch.rows);
    }
    t.strictSame(read, [
      { ...rows[0], list: '[1,"x"]' },
      { ...rows[1], list: null },
    ]);
  },
);

t.test('append keeps the columns, delimiter, decimal mark and line ends of the file', async (t) => {
  const root = realpathSync(t.testdir({ 'a.csv': 'b;a\r\n1,5;x\r\n2;y' }));
  const connection = await connect(root);
  t.equal(await load(connection, request('a.csv', 'load-1'), [{ a: 'z', b: 3.25 }], [{ a: ';' }]), 2);
  t.equal(readFileSync(join(root, 'a.csv'), 'utf8'), 'b;a\r\n1,5;x\r\n2;y\r\n3,25;z\r\n;";"\r\n');
  const writer = await connection.openWriter(request('a.csv', 'load-2'));
  await t.rejects(writer.write(batchOf([{ a: 1, zip: 2 }])), { message: /has no column "zip"/ });
  await writer.abort();
});

t.test('the retry of a committed append writes nothing twice', async (t) => {
  const root = realpathSync(t.testdir({}));
  const connection = await connect(root);
  await load(connection, request('a.csv', 'load-1'), [{ a: 1 }, { a: 2 }]);
  const retry = await connection.openWriter(request('a.csv', 'load-1'));
  t.strictSame(retry.alreadyDone, { rows: 2 });
  await retry.abort();
  await load(connection, request('a.csv', 'load-2'), [{ a: 3 }]);
  t.equal(readFileSync(join(root, 'a.csv'), 'utf8'), 'a\n1\n2\n3\n');
  t.strictSame(
    (await connection.listResources(signal)).map((resource) => resource.name),
    ['a.csv'],
  );
});

t.test('replace with no rows keeps the old ones, unless allowed; an abort leaves no trace', async (t) => {
  const root = realpathSync(t.testdir({ 'a.csv': 'a\n1\n' }));
  const connection = await connect(root);
  t.equal(await load(connection, request('a.csv', 'load-1', { mode: 'replace' })), 0);
  t.equal(readFileSync(join(root, 'a.csv'), 'utf8'), 'a\n1\n');
  t.equal(await load(connection, request('a.csv', 'load-2', { mode: 'replace', allowEmpty: true })), 0);
  t.equal(readFileSync(join(root, 'a.csv'), 'utf8'), '');
  const writer = await connection.openWriter(request('b.csv', 'load-3'));
  await writer.write(batchOf([{ a: 1 }]));
  await writer.abort();
  t.notOk(existsSync(join(root, 'b.csv')));
  t.strictSame(readdirSync(root).toSorted(), ['.a.csv.headgate', '.a.csv.headgate-lock', 'a.csv']);
});

t.test('a batch that the encoding cannot hold is refused whole, and the writer goes on', async (t) => {
  const root = realpathSync(t.testdir({}));
  const connection = await connect(root, { encoding: 'latin1' });
  const writer = await connection.openWriter(request('a.csv', 'load-1'));
  await t.rejects(writer.write(batchOf([{ a: 'ok' }, { a: 'Ł' }])), { fault: 'DATA', message: /"Ł"/ });
  await writer.write(batchOf([{ a: 'ä' }]));
  t.strictSame(await writer.commit(), { rows: 1 });
  t.equal(readFileSync(join(root, 'a.csv'), 'latin1'), 'a\nä\n');
});

t.test('a mode that files do not have is refused', async (t) => {
  const connection = await connect(realpathSync(t.testdir({})));
  await t.rejects(connection.openWriter(request('a.csv', 'load-1', { mode: 'upsert', key: ['a'] })), {
    message: /"upsert"/,
  });
});
