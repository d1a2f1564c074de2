import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import type { Batch, Connection, Row, WriteRequest } from '../../../src/drivers/driver.ts';
import { ArraySplitter } from '../../../src/drivers/json/array-splitter.ts';
import { jsonDriver } from '../../../src/drivers/json/driver.ts';

const signal = new AbortController().signal;

async function connect(root: string, config: object = {}): Promise<Connection> {
  const context = { fileRoots: [root], forbiddenFiles: [], connectTimeoutMs: 1_000 };
  return jsonDriver.connect({ path: '.', ...config }, context);
}

async function batchesOf(connection: Connection, args: object, options: object = {}): Promise<Batch[]> {
  const batches: Batch[] = [];
  for await (const batch of connection.read({ method: 'read', args, signal, ...options }))
    batches.push(batch);
  return batches;
}

async function rowsOf(connection: Connection, args: object, options: object = {}): Promise<Row[]> {
  return (await batchesOf(connection, args, options)).flatMap((batch) => batch.rows);
}

function batchOf(rows: Row[]): Batch {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return { columns: names.map((name) => ({ name, type: 'unknown', nullable: true })), rows };
}

async function append(connection: Connection, object: string, loadId: string, ...rows: Row[]): Promise<void> {
  const request: WriteRequest = { object, loadId, mode: 'append', key: [], allowEmpty: false, signal };
  const writer = await connection.openWriter(request);
  if (rows.length > 0) await writer.write(batchOf(rows));
  await writer.commit();
}

t.test('a list is cut between elements, wherever the pieces are cut', async () => {
  const property = fc.property(
    fc.array(fc.jsonValue(), { minLength: 1, maxLength: 6 }),
    fc.array(fc.nat(300), { maxLength: 6 }),
    fc.constantFrom(undefined, 1),
    (values, cuts, indent) => {
      const text = `\n${JSON.stringify(values, null, indent)} \n`;
      const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
      const splitter = new ArraySplitter();
      const found: unknown[] = [];
      for (const [index, place] of places.slice(1).entries()) {
        const part = splitter.feed(text.slice(places[index], place));
        if (part !== null) found.push(...JSON.parse(`[${part.text}]`));
      }
      return splitter.isComplete && JSON.stringify(found) === JSON.stringify(values);
    },
  );
  fc.assert(property, { numRuns: 1_000 });
});

t.test('lists, NDJSON, a list inside a document and a lone record are all read', async (t) => {
  const root = realpathSync(
    t.testdir({
      'list.json': '\uFEFF[{"a":1},\n {"a":2}]',
      'lines.ndjson': '{"a":1}\r\n\n{"a":2}',
      'lines.json': '{"a":1}\n{"a":2}\n',
      'inside.json': '{"data":{"items":[{"a":1},{"a":2}]}}',
      'lone.json': '{\n"a": 1\n}',
      'values.json': '[1,[2]]',
      'empty.json': ' \n',
      'none.json': '[]',
    }),
  );
  const connection = await connect(root);
  const two = [{ a: 1 }, { a: 2 }];
  for (const file of ['list.json', 'lines.ndjson', 'lines.json'])
    t.strictSame(await rowsOf(connection, { file }), two);
  t.strictSame(await rowsOf(connection, { file: 'inside.json', records: 'data.items' }), two);
  t.strictSame(await rowsOf(connection, { file: 'lone.json' }), [{ a: 1 }]);
  t.strictSame(await rowsOf(connection, { file: 'values.json' }), [{ value: 1 }, { value: [2] }]);
  for (const file of ['empty.json', 'none.json']) t.strictSame(await rowsOf(connection, { file }), []);
  await t.rejects(rowsOf(connection, { file: 'inside.json', records: 'data.rows' }), {
    fault: 'CONFIG',
    message: /has nothing at "data.rows"/,
  });
});

t.test('rows have one shape per batch; new keys and types widen the columns from there on', async (t) => {
  const lines = Array.from({ length: 30_000 }, (_, id) => JSON.stringify({ id, v: id === 29_000 ? 'x' : 1 }));
  lines[28_000] = '{"id":28000,"v":1.5,"constructor":{"b":1}}';
  const root = realpathSync(t.testdir({ 'a.ndjson': lines.join('\n') }));
  const batches = await batchesOf(await connect(root), { file: 'a.ndjson' });
  const shapes = batches.map(({ columns }) => columns.map(({ name, type }) => `${name}:${type}`).join());
  t.strictSame(
    [...new Set(shapes)],
    ['id:integer,v:integer', 'id:integer,v:number,constructor:json', 'id:integer,v:json,constructor:json'],
  );
  for (const { columns, rows } of batches) {
    const keys = columns.map(({ name }) => name).join();
    if (!rows.every((row) => Object.keys(row).join() === keys)) t.fail('a row has another shape');
  }
  const rows = batches.flatMap((batch) => batch.rows);
  t.equal(rows.length, 30_000);
  t.equal(JSON.stringify(rows[28_000]), '{"id":28000,"v":1.5,"constructor":{"b":1}}');
  t.equal(JSON.stringify(rows[29_999]), '{"id":29999,"v":1}', 'what a record lacks is absent');
});

t.test('integers beyond 2^53 keep their digits, as text', async (t) => {
  const root = realpathSync(t.testdir({ 'a.json': '[{"id":9007199254740993},{"id":-1},{"id":null}]' }));
  const [batch] = await batchesOf(await connect(root), { file: 'a.json' });
  t.strictSame(batch?.rows, [{ id: '9007199254740993' }, { id: -1 }, { id: null }]);
});

t.test('what is no JSON is named by its line or element', async (t) => {
  const root = realpathSync(
    t.testdir({
      'a.ndjson': '{"a":1}\n{"a":\n',
      'g.ndjson': '{"a":1}\n{"a" 2}\n',
      'b.json': '[{"a":1},{"a"}]',
      'c.json': '[{"a":1}',
      'd.json': '[1,,2]',
      'e.json': '[1,2,]',
      'f.json': '[1] x',
    }),
  );
  const connection = await connect(root);
  await t.rejects(rowsOf(connection, { file: 'a.ndjson' }), {
    fault: 'DATA',
    message: /not valid JSON in line 2/,
  });
  await t.rejects(rowsOf(connection, { file: 'g.ndjson' }), {
    message:
      /^The file "g\.ndjson" is not valid JSON in line 2: Expected ':' after property name at column 6$/,
  });
  for (const file of ['b.json', 'c.json', 'd.json', 'e.json', 'f.json']) {
    await t.rejects(
      rowsOf(connection, { file }),
      { fault: 'DATA', message: /not valid JSON after element/ },
      file,
    );
  }
});

t.test('a list larger than a chunk is streamed, with limit and pages', async (t) => {
  const root = realpathSync(t.testdir({}));
  const records = Array.from({ length: 20_000 }, (_, id) => ({ id, text: `"],[{ ä ${'x'.repeat(id % 50)}` }));
  writeFileSync(join(root, 'a.json'), JSON.stringify(records));
  const connection = await connect(root);
  t.strictSame(await rowsOf(connection, { file: 'a.json' }), records);
  t.equal((await rowsOf(connection, { file: 'a.json' }, { limit: 1_234 })).length, 1_234);
  const page = await connection.page({
    resource: 'a.json',
    filter: { id: { gt: 19_990 } },
    limit: 5,
    signal,
  });
  const cursor = page.next_cursor ?? '';
  const next = await connection.page({
    resource: 'a.json',
    filter: { id: { gt: 19_990 } },
    limit: 5,
    cursor,
    signal,
  });
  t.strictSame(
    [...page.rows, ...next.rows].map((row) => row['id']),
    [19_991, 19_992, 19_993, 19_994, 19_995, 19_996, 19_997, 19_998, 19_999],
  );
  t.equal(next.next_cursor, null);
});

t.test(
  'append goes on in the way of the file: lists stay lists, lines stay lines, once per load',
  async (t) => {
    const root = realpathSync(
      t.testdir({
        'list.json': '[\n{"a":1}\n] \n',
        'none.json': ' [ ] ',
        'lines.json': '{"a":1}',
        'new.ndjson': '',
      }),
    );
    const connection = await connect(root);
    for (const file of ['list.json', 'none.json', 'lines.json', 'new.ndjson', 'new.json']) {
      await append(connection, file, 'load-1', { a: 2 }, { a: 3n });
      await append(connection, file, 'load-2');
      const retry = await connection.openWriter({
        object: file,
        loadId: 'load-1',
        mode: 'append',
        key: [],
        allowEmpty: false,
        signal,
      });
      t.strictSame(retry.alreadyDone, { rows: 2 });
      await append(connection, file, 'load-3', { a: 4 });
    }
    const text = (file: string) => readFileSync(join(root, file), 'utf8');
    t.strictSame(JSON.parse(text('list.json')), [{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }]);
    t.strictSame(JSON.parse(text('none.json')), [{ a: 2 }, { a: 3 }, { a: 4 }]);
    t.strictSame(JSON.parse(text('new.json')), [{ a: 2 }, { a: 3 }, { a: 4 }]);
    t.equal(text('lines.json'), '{"a":1}\n{"a":2}\n{"a":3}\n{"a":4}\n');
    t.equal(text('new.ndjson'), '{"a":2}\n{"a":3}\n{"a":4}\n');
  },
);
