import { mkdirSync, realpathSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { csvDriver } from '../../../src/drivers/csv/driver.ts';
import type { Batch, Connection, MalformedRecord, ReadRequest, Row } from '../../../src/drivers/driver.ts';
import { expansionMax } from '../../../src/drivers/files/expanded-file.ts';
import { jsonDriver } from '../../../src/drivers/json/driver.ts';
import { parquetDriver } from '../../../src/drivers/parquet/driver.ts';
import { fewOrAll } from '../../support/fault-list.ts';

const { signal } = new AbortController();
const faulted = (fault: string, message: RegExp) => ({ fault, message });

/** A folder with these files, all last changed at `2026-01-01`, or at the time that stands with them. */
function folderOf(t: Test, files: Record<string, string | Buffer | readonly [string, string]>): string {
  const root = realpathSync(t.testdir());
  for (const [name, file] of Object.entries(files)) {
    const [content, at] = typeof file === 'string' || Buffer.isBuffer(file) ? [file, '2026-01-01'] : file;
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
    utimesSync(join(root, name), new Date(at), new Date(at));
  }
  return root;
}

function connect(root: string, path = '.', driver = csvDriver): Promise<Connection> {
  return driver.connect({ path }, { fileRoots: [root], forbiddenFiles: [], connectTimeoutMs: 1_000 });
}

async function batchesOf(connection: Connection, args: object, options: Partial<ReadRequest> = {}) {
  const batches: Batch[] = [];
  for await (const batch of connection.read({ method: 'read', args, signal, ...options }))
    batches.push(batch);
  return batches;
}

async function rowsOf(
  connection: Connection,
  args: object,
  options: Partial<ReadRequest> = {},
): Promise<Row[]> {
  return (await batchesOf(connection, args, options)).flatMap(({ rows }) => rows);
}

t.test('a CSV file without a byte, among others, has no rows', async (t) => {
  const files = { 'a.csv': 'id,n\n1,a\n', 'b.csv': '', 'c.csv.gz': gzipSync(''), 'd.csv': 'id,n\n2,b\n' };
  const connection = await connect(folderOf(t, files));
  const args = { files: '*.csv*' };
  t.strictSame(await rowsOf(connection, { ...args, columns: ['id'], filter: { n: 'b' } }), [{ id: 2 }]);
  t.equal((await rowsOf(connection, args)).length, 2);
});

t.test('the files of a pattern are one read, by name; a column tells each row its file', async (t) => {
  const root = folderOf(t, {
    '2026/02/b.csv': 'id,n\n3,c\n',
    '2026/01/a.csv': 'id,n\n1,a\n2,b\n',
    '2026/01/.hidden.csv': 'id,n\n9,x\n',
    '2026/01/notes.txt': 'no rows',
    'top.csv': 'id,n\n4,d\n',
  });
  symlinkSync(join(root, 'top.csv'), join(root, '2026/linked.csv'));
  symlinkSync(root, join(root, '2026/round'));
  const connection = await connect(root);
  const batches = await batchesOf(connection, { files: '2026/**/*.csv', file_column: 'of' });
  t.strictSame(
    batches.flatMap(({ rows }) => rows),
    [
      { id: 1, n: 'a', of: '2026/01/a.csv' },
      { id: 2, n: 'b', of: '2026/01/a.csv' },
      { id: 3, n: 'c', of: '2026/02/b.csv' },
    ],
  );
  t.strictSame(
    batches[0]?.columns.map(({ name, type }) => `${name}:${type}`),
    ['id:integer', 'n:string', 'of:string'],
  );
  t.strictSame(batches[1]?.originOf?.(0), { file: '2026/02/b.csv', line: 2 });
  t.strictSame(await rowsOf(connection, { files: '*.csv' }), [{ id: 4, n: 'd' }]);
  t.strictSame(await rowsOf(connection, { files: '{top,2026/*/b}.csv', columns: ['id'] }), [
    { id: 3 },
    { id: 4 },
  ]);
  t.equal((await rowsOf(connection, { files: '**/*.csv' }, { limit: 3 })).length, 3);
});

t.test(
  'columns of the file stand where "columns" names them, and filters on them choose the files',
  async (t) => {
    const root = folderOf(t, {
      'a.csv': ['id\n1\n', '2026-01-01T00:00:00Z'],
      'b.csv': ['id\n2\n3\n', '2026-01-02T00:00:00Z'],
      'c.csv': ['broken"\n', '2026-01-03T00:00:00Z'],
    });
    const connection = await connect(root);
    const args = { files: '*.csv', file_column: 'of', modified_column: 'at' };
    const filter = { at: { gt: '2026-01-01T00:00:00Z', lt: '2026-01-03T00:00:00Z' }, id: 3 };
    const [batch] = await batchesOf(connection, { ...args, columns: ['at', 'id'], filter });
    t.strictSame(
      batch?.columns.map(({ name }) => name),
      ['at', 'id', 'of'],
    );
    t.strictSame(batch?.rows, [{ id: 3, of: 'b.csv', at: '2026-01-02T00:00:00.000000Z' }]);
    t.strictSame(await rowsOf(connection, { ...args, filter: { at: { gt: '2026-01-03T00:00:00Z' } } }), []);
    t.strictSame(await rowsOf(connection, { files: 'none*.csv', modified_column: 'at' }), []);
  },
);

t.test('what contradicts itself, finds nothing or leads out is refused', async (t) => {
  const root = folderOf(t, { 'in/a.csv': 'id\n1\n', 'out.csv': 'id\n2\n', 'in/b.csv': 'key\n1\n' });
  const connection = await connect(root, 'in');
  const read = (args: object) => rowsOf(connection, args);
  await t.rejects(read({ files: 'x*.csv' }), faulted('CONFIG', /No file matches "x\*\.csv"/));
  for (const files of ['../*.csv', '/etc/*', 'a//b', 'a\\b', './a.csv'])
    await t.rejects(read({ files }), faulted('CONFIG', /from the connector's folder on/), files);
  await t.rejects(read({ files: 'a.csv', file: 'a.csv' }), faulted('CONFIG', /leave it out/));
  await t.rejects(read({ file_column: 'of' }), faulted('CONFIG', /name its files in "files"/));
  await t.rejects(read({ files: 'a.csv', file_column: 'id' }), faulted('CONFIG', /a column "id" of its own/));
  await t.rejects(
    read({ files: 'a.csv', file_column: 'x', modified_column: 'x' }),
    faulted('CONFIG', /must differ/),
  );
  await t.rejects(
    read({ files: '*.csv' }),
    faulted('DATA', /"b\.csv" has other columns than "a\.csv": without "id" and with "key"/),
  );
  const one = await connect(root, 'in/a.csv');
  await t.rejects(rowsOf(one, { files: '*.csv' }), faulted('CONFIG', /holds only the file "a\.csv"/));
  t.strictSame(await rowsOf(one, { file_column: 'of' }), [{ id: 1, of: 'a.csv' }]);
});

t.test(
  'malformed records of many files say file and line; JSON files may differ in their keys',
  async (t) => {
    const root = folderOf(t, { 'a.ndjson': '{"a":1}\n{"a":\n', 'b.ndjson': '\n{"b":2}\nno\n' });
    const connection = await connect(root, '.', jsonDriver);
    const told: MalformedRecord['origin'][] = [];
    const onMalformed = ({ origin }: MalformedRecord) => told.push(origin);
    const rows = await rowsOf(connection, { files: '*.ndjson', file_column: 'of' }, { onMalformed });
    t.strictSame(rows, [
      { a: 1, of: 'a.ndjson' },
      { b: 2, of: 'b.ndjson' },
    ]);
    t.strictSame(told, [
      { file: 'a.ndjson', line: 2 },
      { file: 'b.ndjson', line: 3 },
    ]);
  },
);

const lines = Array.from({ length: fewOrAll(20_000, 60_000) }, (_, index) => `${index},name ${index % 97}`);
const text = `id,name\n${lines.join('\n')}\n`;

t.test('gzip and zstd are read as what they hold, short and long, alone and among others', async (t) => {
  const half = Math.floor(text.length / 2);
  const parts = [text.slice(0, half), text.slice(half)];
  const root = folderOf(t, {
    'long.csv.gz': gzipSync(text),
    'long.csv.zst': zstdCompressSync(text),
    'members.csv.gz': Buffer.concat(parts.map((part) => gzipSync(part))),
    'frames.csv.zst': Buffer.concat(parts.map((part) => zstdCompressSync(part))),
    'short.csv.gz': gzipSync('id,name\n1,"a'),
    'one.csv.GZ': gzipSync('id,name\n1,é\n'),
    'plain.csv': 'id,name\n7,x\n',
  });
  const connection = await connect(root);
  for (const file of ['long.csv.gz', 'long.csv.zst', 'members.csv.gz', 'frames.csv.zst']) {
    const rows = await rowsOf(connection, { file });
    t.equal(rows.length, lines.length, file);
    const id = lines.length - 1;
    t.strictSame(rows.at(-1), { id, name: `name ${id % 97}` });
    t.equal((await rowsOf(connection, { file }, { limit: 5 })).length, 5);
  }
  t.strictSame(await rowsOf(connection, { files: '{one,plain}.csv*' }), [
    { id: 1, name: 'é' },
    { id: 7, name: 'x' },
  ]);
  await t.rejects(rowsOf(connection, { file: 'short.csv.gz' }), faulted('DATA', /short\.csv\.gz/));
  const page = await connection.page({
    resource: 'long.csv.gz',
    limit: 2,
    signal,
    filter: { id: { gte: 15_000 } },
  });
  t.strictSame(page.rows[0], { id: 15_000, name: 'name 62' });
  t.ok((await connection.listResources(signal)).some(({ name }) => name === 'one.csv.GZ'));
  t.equal(await connection.engineFile?.({ method: 'read', args: { file: 'long.csv.gz' }, signal }), null);
  const documents = folderOf(t, {
    'a.jsonl.gz': gzipSync('{"a":1}\n{"a":2}\n'),
    'b.json.zst': zstdCompressSync(JSON.stringify({ data: lines.map((line) => ({ line })) })),
  });
  const json = await connect(documents, '.', jsonDriver);
  t.strictSame(await rowsOf(json, { file: 'a.jsonl.gz' }), [{ a: 1 }, { a: 2 }]);
  t.equal((await rowsOf(json, { file: 'b.json.zst', records: 'data' })).length, lines.length);
});

t.test(
  'what is not compressed as it says, is cut off, or stands for absurdly much ends the read',
  async (t) => {
    const bombs = ['bomb.csv.zst', 'bomb.csv.gz'].slice(0, fewOrAll(1, 2));
    const zeros = Buffer.alloc(300 * 1024 * 1024, `${'1'.repeat(99_999)}\n`);
    const root = folderOf(t, {
      'no.csv.gz': 'id\n1\n',
      'no.csv.zst': 'id\n1\n',
      'after.csv.zst': Buffer.concat([zstdCompressSync(text), Buffer.from('no frame')]),
      'cut.csv.gz': gzipSync(text).subarray(0, -20_000),
      'cut.csv.zst': zstdCompressSync(text).subarray(0, -20_000),
      'bomb.csv.zst': zstdCompressSync(zeros),
      ...(bombs.length > 1 && { 'bomb.csv.gz': gzipSync(zeros) }),
      'x.parquet.gz': gzipSync(Buffer.from(text)),
    });
    const connection = await connect(root);
    for (const file of ['no.csv.gz', 'no.csv.zst', 'after.csv.zst', 'cut.csv.gz', 'cut.csv.zst'])
      await t.rejects(
        rowsOf(connection, { file }),
        faulted('DATA', /is not a complete (gzip|zstd) file/),
        file,
      );
    for (const file of bombs) {
      const read = async () => {
        for await (const _ of connection.read({ method: 'read', args: { file }, signal }));
      };
      await t.rejects(read(), faulted('DATA', new RegExp(`more than ${expansionMax} times its size`)), file);
    }
    const parquet = await connect(root, '.', parquetDriver);
    await t.rejects(rowsOf(parquet, { file: 'x.parquet.gz' }), faulted('CONFIG', /decompress it/));
  },
);
