import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import t from 'tap';
import type { Batch, Row, WriteRequest } from '../../../../src/drivers/driver.ts';
import type { Plugin } from '../../../../src/drivers/plugins/plugin.ts';
import { connectSingerTarget } from '../../../../src/drivers/plugins/singer/target/connect.ts';
import { contextWith, signal } from '../../airbyte/scripted.ts';

const plugin: Plugin = {
  name: 'scripted',
  command: [process.execPath, '--no-warnings', resolve('test/peers/singer/target-main.ts')],
  folder: null,
  memoryMb: 400,
};
const REQUEST: WriteRequest = {
  object: 'people',
  mode: 'append',
  key: [],
  loadId: 'run-1/write',
  allowEmpty: false,
  signal,
};
const PEOPLE: Batch = {
  columns: [
    { name: 'id', type: 'integer', nullable: false },
    { name: 'amount', type: 'decimal', nullable: true },
    { name: 'at', type: 'timestamp', nullable: true },
    { name: 'raw', type: 'binary', nullable: true },
    { name: 'more', type: 'json', nullable: true },
  ],
  rows: [
    {
      id: '9007199254740993',
      amount: '1234567890123456.78',
      at: '2026-01-31T10:00:00Z',
      raw: Buffer.from('a'),
      more: { a: 1 },
    },
    { id: 2, amount: null, at: null, raw: null, more: 'text' },
  ],
};

/** A target in a mode, and what it was given. */
async function open(folder: string, mode = 'good', more: Row = {}) {
  const path = join(folder, 'messages.ndjson');
  const config = { plugin: 'scripted', config: { mode, path }, secrets: { token: 'very secret' }, ...more };
  const connection = await connectSingerTarget(config, contextWith(plugin));
  const texts = () => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []);
  return { connection, texts, messages: () => texts().map((line) => JSON.parse(line)) };
}

t.test(
  'a load is a schema, records and states, and is committed once all rows are acknowledged',
  async (t) => {
    const { connection, texts, messages } = await open(t.testdir());
    const logged: string[] = [];
    const log = (level: string, message: string) => logged.push(`${level} ${message}`);
    const writer = await connection.openWriter({ ...REQUEST, log });
    await writer.write(PEOPLE);
    await writer.write({ ...PEOPLE, rows: [{ id: 3 }] });
    await writer.write({ columns: [{ name: 'id', type: 'string', nullable: false }], rows: [{ id: 'x' }] });
    t.strictSame(await writer.commit(), { rows: 4 });
    t.match(messages(), [
      { type: 'SCHEMA', stream: 'people', key_properties: [] },
      { type: 'RECORD', stream: 'people' },
      { type: 'RECORD' },
      { type: 'STATE', value: { bookmarks: { people: { headgate_rows: 2 } } } },
      { type: 'RECORD' },
      { type: 'STATE' },
      { type: 'SCHEMA', schema: { properties: { id: { type: ['null', 'string'] } } } },
      { type: 'RECORD', record: { id: 'x' } },
      { type: 'STATE', value: { bookmarks: { people: { headgate_rows: 4 } } } },
    ]);
    t.strictSame(messages()[0].schema.properties, {
      id: { type: ['null', 'integer'] },
      amount: { type: ['null', 'number'] },
      at: { type: ['null', 'string'], format: 'date-time' },
      raw: { type: ['null', 'string'], contentEncoding: 'base64' },
      more: { type: ['null', 'object', 'array', 'string', 'number', 'boolean'] },
    });
    t.equal(
      texts()[1],
      '{"type":"RECORD","stream":"people","record":{"id":9007199254740993,"amount":1234567890123456.78,"at":"2026-01-31T10:00:00Z","raw":"YQ==","more":{"a":1}}}',
    );
    t.strictSame(logged.sort(), ['info this line is no state', 'warn WARNING stored 4 rows with ********']);
  },
);

t.test('a load without rows starts no process; a key is told to a target that upserts', async (t) => {
  const folder = t.testdir({ upserts: {} });
  const { connection, messages } = await open(folder);
  t.strictSame(await (await connection.openWriter(REQUEST)).commit(), { rows: 0 });
  t.strictSame(messages(), []);
  const upsert: WriteRequest = { ...REQUEST, mode: 'upsert', key: ['id'] };
  await t.rejects(connection.openWriter(upsert), { fault: 'CONFIG', message: /set "upserts: true"/ });
  const able = await open(join(folder, 'upserts'), 'good', { upserts: true });
  const writer = await able.connection.openWriter(upsert);
  await writer.write(PEOPLE);
  await writer.commit();
  t.match(able.messages()[0], {
    key_properties: ['id'],
    schema: { properties: { id: { type: 'integer' } } },
  });
});

t.test('a text that is no number fails its row and nothing else', async (t) => {
  const { connection, messages } = await open(t.testdir());
  const writer = await connection.openWriter(REQUEST);
  const wrong = { ...PEOPLE, rows: [{ id: 1, amount: 'NaN' }] };
  await t.rejects(writer.write(wrong), {
    fault: 'DATA',
    column: 'amount',
    message: 'The value "NaN" of the column "amount" is not of type decimal',
  });
  await writer.write(PEOPLE);
  t.strictSame(await writer.commit(), { rows: 2 });
  t.equal(messages().length, 4);
});

t.test('a target that ends badly, early, or without acknowledging fails the load', async (t) => {
  const failing: readonly (readonly [mode: string, message: RegExp])[] = [
    ['crash', /"scripted" ended with exit code 3: ValueError: it broke with \*{8}$/],
    ['refused', /"scripted" ended with exit code 1: CRITICAL bad token \*{8}$/],
    ['early', /"scripted" acknowledged 0 of 2 rows: the others may not be stored/],
    ['last-lost', /"scripted" acknowledged 2 of 4 rows/],
  ];
  for (const [mode, message] of failing) {
    const { connection } = await open(t.testdir(), mode);
    const writer = await connection.openWriter(REQUEST);
    const load = async () => {
      await writer.write(PEOPLE);
      if (mode === 'last-lost') await writer.write(PEOPLE);
      return writer.commit();
    };
    await t.rejects(load(), { fault: 'TARGET', message }, mode);
    await writer.abort();
  }
});

t.test('a target that takes nothing, or does not end, is ended', async (t) => {
  const folder = t.testdir({ slow: {} });
  const long = { columns: PEOPLE.columns, rows: [{ id: 1, more: 'x'.repeat(1_000_000) }] };
  const deaf = await (await open(folder, 'deaf', { silence_timeout_seconds: 1 })).connection.openWriter(
    REQUEST,
  );
  await t.rejects(deaf.write(long), { fault: 'UNAVAILABLE', message: /"scripted" has taken no row for 1 s/ });
  await deaf.abort();
  const slow = await (
    await open(join(folder, 'slow'), 'slow-end', { silence_timeout_seconds: 1 })
  ).connection.openWriter(REQUEST);
  await slow.write(PEOPLE);
  await t.rejects(slow.commit(), { fault: 'UNAVAILABLE', message: /"scripted" has not ended for 1 s/ });
  await slow.abort();
});

t.test('a cancel ends it', async (t) => {
  const controller = new AbortController();
  const { connection } = await open(t.testdir(), 'slow-end');
  const writer = await connection.openWriter({ ...REQUEST, signal: controller.signal });
  await writer.write(PEOPLE);
  const committing = writer.commit();
  controller.abort(new Error('cancelled'));
  await t.rejects(committing, { message: 'cancelled' });
  await writer.abort();
});

t.test('what it leaves in the folder that is removed with it is told, unless that is its own', async (t) => {
  for (const folder of [null, t.testdir()]) {
    const logged: string[] = [];
    const log = (level: string, message: string) => logged.push(`${level} ${message}`);
    const config = { plugin: 'scripted', config: { mode: 'relative', path: join(t.testdirName, 'all') } };
    const connection = await connectSingerTarget(config, contextWith({ ...plugin, folder }));
    const writer = await connection.openWriter({ ...REQUEST, log });
    await writer.write(PEOPLE);
    t.strictSame(await writer.commit(), { rows: 2 });
    const told = logged.filter((line) => line.includes('people.jsonl'));
    t.match(
      told,
      folder === null ? [/^warn The target "scripted" left "people.jsonl" in its .* absolute/] : [],
    );
    t.equal(told.length, folder === null ? 1 : 0);
  }
});

t.test('its test starts it without rows', async (t) => {
  t.match(
    await (await open(t.testdir())).connection.test(signal),
    /"scripted" starts with this configuration/,
  );
  await t.rejects((await open(t.testdir(), 'refused')).connection.test(signal), {
    fault: 'TARGET',
    message: /exit code 1: CRITICAL bad token \*{8}$/,
  });
});
