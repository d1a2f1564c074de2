import t from 'tap';
import { oneIn } from '../../support/fault-list.ts';
import { seeded } from '../../support/seed.ts';
import { gone, isAlive } from '../../support/watched-processes.ts';
import { batchesOf, rowsOf, signal } from '../airbyte/scripted.ts';
import { connectTap } from './scripted.ts';

const args = { stream: 'app-people' };
const secrets = { token: 'very secret' };
const NAMES = ['id', 'name', 'big', 'amount', 'born', 'at', 'more'];

t.test('its test asks for the streams; a tap that fails is told without its secrets', async (t) => {
  t.equal(await (await connectTap()).test(signal), 'The tap "scripted" is ready: 3 streams');
  await t.rejects((await connectTap('refused', 1, { secrets })).test(signal), {
    fault: 'TARGET',
    message: 'The plug-in "scripted" ended with exit code 1: CRITICAL bad token ********',
  });
  await t.rejects((await connectTap('no-catalogue')).test(signal), {
    fault: 'TARGET',
    message: /wrote no catalogue for "--discover"; if it has no discovery, set "catalog_argument: none"/,
  });
});

t.test('streams and their columns come from discovery, without those that the tap cannot read', async (t) => {
  const connection = await connectTap();
  t.strictSame(
    (await connection.listResources(signal)).map(({ name }) => name),
    ['app-people', 'whole', 'plain'],
  );
  const columns = await connection.describe('app-people', signal);
  t.strictSame(
    columns.map(({ name, type, nullable, key = false }) => [name, type, nullable, key]),
    [
      ['id', 'integer', false, true],
      ['name', 'string', true, false],
      ['big', 'integer', true, false],
      ['amount', 'decimal', true, false],
      ['born', 'date', true, false],
      ['at', 'timestamp', true, false],
      ['more', 'json', true, false],
      ['hidden', 'string', true, false],
    ],
  );
  await t.rejects(
    connection.describe('people', signal),
    /no stream "people"; there are "app-people", "whole"/,
  );
});

t.test('rows have the declared types; decimals and integers beyond 2^53 keep all their digits', async (t) => {
  const [batch, ...others] = await batchesOf(await connectTap(), { args });
  t.equal(others.length, 0);
  t.strictSame(
    batch?.columns.map(({ name, type }) => [name, type]),
    [
      ['id', 'integer'],
      ['name', 'string'],
      ['big', 'integer'],
      ['amount', 'decimal'],
      ['born', 'date'],
      ['at', 'timestamp'],
      ['more', 'json'],
    ],
  );
  t.strictSame(batch?.rows[0], {
    id: 1,
    name: 'name 1',
    big: '9007199254740993',
    amount: '1234567890123456.78',
    born: '2000-02-29',
    at: '2026-01-31T10:00:00+00:00',
    more: { amount: 1.5 },
  });
  t.equal(batch?.rows[1]?.['amount'], '12.5');
});

t.test('the columns that are wanted are selected in the catalogue', async (t) => {
  const some = { ...args, columns: ['hidden', 'name'] };
  for (const mode of ['good', 'old']) {
    const more = mode === 'old' ? { catalog_argument: 'properties' } : {};
    const rows = await rowsOf(await connectTap(mode, 2, more), { args: some });
    t.strictSame(rows[1], { hidden: 'seen', name: 'name 2' }, mode);
  }
  await t.rejects(rowsOf(await connectTap(), { args: { ...args, columns: ['none'] } }), {
    fault: 'CONFIG',
    message: 'The stream "app-people" has no column "none"',
  });
  await t.rejects(rowsOf(await connectTap('good', 2, { catalog_argument: 'properties' }), { args }), {
    fault: 'CONFIG',
    message: /unrecognized arguments: --properties: see "catalog_argument"/,
  });
});

t.test('a tap without discovery has the streams that it writes', async (t) => {
  const connection = await connectTap('none', 3, { catalog_argument: 'none' });
  t.strictSame(await connection.listResources(signal), [{ name: 'people', type: 'stream' }]);
  t.match(await connection.describe('people', signal), [{ name: 'id', type: 'integer', key: true }]);
  const [batch] = await batchesOf(connection, { args: { stream: 'people', columns: ['id', 'amount'] } });
  t.strictSame(batch?.rows[2], { id: 3, amount: '12.5' });
  t.match(batch?.columns, [{ type: 'integer' }, { type: 'decimal' }]);
  await t.rejects(rowsOf(connection, { args: { stream: 'absent' } }), {
    fault: 'TARGET',
    message: 'The tap has written the stream "people" and not "absent"',
  });
});

t.test('pages go through a stream', async (t) => {
  const connection = await connectTap();
  const request = { resource: 'app-people', limit: 2, filter: { id: { gt: 1 } }, signal };
  const first = await connection.page(request);
  const second = await connection.page({ ...request, cursor: first.next_cursor ?? '' });
  t.strictSame(
    [...first.rows, ...second.rows].map(({ id }) => id),
    [2, 3, 4, 5],
  );
  t.equal(second.next_cursor, null);
});

t.test('a state is told once its rows were given, and the next read goes on from it', async (t) => {
  const states: unknown[] = [];
  const onState = (state: unknown) => states.push(state);
  const logged: string[] = [];
  const log = (level: string, message: string) => logged.push(`${level} ${message}`);
  const read = { method: 'read', args, signal, batchRows: 3, state: { saved: null, onState }, log };
  const iterator = (await connectTap('good', 5, { secrets })).read(read)[Symbol.asyncIterator]();
  t.equal((await iterator.next()).value.rows.length, 3);
  t.equal(states.length, 0);
  t.equal((await iterator.next()).value.rows.length, 2);
  t.strictSame(states, [{ bookmarks: { people: { id: 2 } } }]);
  t.ok((await iterator.next()).done);
  t.strictSame(states.at(-1), { bookmarks: { people: { id: 4 } } });
  t.match(logged.sort(), [
    'info this line is no message',
    /^warn time=.* level=WARNING message=INCREMENTAL by id from 0, \*{8}$/,
  ]);
  const rows = await rowsOf(await connectTap('good', 7), { args, state: { saved: states.at(-1), onState } });
  t.strictSame(
    rows.map(({ id }) => id),
    [5, 6, 7],
  );
});

t.test('a stream is read incrementally where the tap can', async (t) => {
  const state = { saved: null, onState: () => undefined };
  const rejects = async (given: object, message: RegExp) =>
    t.rejects(rowsOf(await connectTap(), { args: given as never, state }), { fault: 'CONFIG', message });
  await rejects({ stream: 'whole' }, /read the stream "whole" as a whole: omit "cursor"/);
  await rejects({ ...args, replication_method: 'FULL_TABLE' }, /as a whole/);
  await rejects({ stream: 'plain' }, /replication key for the stream "plain": set "replication_key"/);
  await rejects({ ...args, replication_key: 'none' }, /"app-people" has no column "none"/);
  const unkeyed = { stream: 'plain', replication_method: 'INCREMENTAL' };
  await t.rejects(rowsOf(await connectTap('crash'), { args: unkeyed, state }), {
    fault: 'TARGET',
    message: /it broke.* "plain" was read incrementally without a replication key: set "replication_key"/,
  });
  const logged: string[] = [];
  await rowsOf(await connectTap(), { args, log: (_level, message) => logged.push(message) });
  t.match(logged.join('\n'), /FULL_TABLE by nothing from 0/);
  logged.length = 0;
  const byLog = {
    args: { ...args, replication_method: 'LOG_BASED' },
    log: (_level: string, message: string) => logged.push(message),
  };
  const states: unknown[] = [];
  await rowsOf(await connectTap(), { ...byLog, state: { saved: null, onState: (one) => states.push(one) } });
  t.match(
    logged.join('\n'),
    /LOG_BASED by nothing from 0/,
    'a change log is left to the tap, and needs no key',
  );
  t.ok(states.length > 0);
});

t.test('a schema that changes begins a batch of the new columns', async (t) => {
  const batches = await batchesOf(await connectTap('new-schema'), { args });
  t.strictSame(
    batches.map(({ rows }) => rows.map(({ id }) => id)),
    [
      [1, 2],
      ['3', '4', '5'],
    ],
  );
  const types = batches.map(({ columns }) => columns.map(({ name, type }) => [name, type]));
  t.strictSame(
    types[0]?.map(([name]) => name),
    NAMES,
  );
  t.strictSame(types[1]?.[0], ['id', 'string']);
  t.strictSame(types[1]?.at(-1), ['tag', 'string']);
  t.strictSame(batches[1]?.rows[0], {
    ...Object.fromEntries(NAMES.map((name) => [name, undefined])),
    id: '3',
    tag: 't',
  });
});

t.test('each end that is not good has its fault', async (t) => {
  const failing: readonly (readonly [mode: string, message: RegExp])[] = [
    ['crash', /"scripted" ended with exit code 3: ValueError: it broke with \*{8}$/],
    ['garbage', /wrote a line that is no whole message/],
    ['nothing', /"scripted" wrote no message of the Singer specification/],
    ['long-line', /wrote a line of more than 32 MB/],
    ['record-first', /writes records of "app-people" before their SCHEMA/],
    ['other', /has written the stream "others" and not "app-people"/],
    ['batch', /writes BATCH messages: take "batch_config" from its configuration/],
  ];
  for (const [mode, message] of seeded(t).someOf(failing, oneIn(3, 1)))
    await t.rejects(
      rowsOf(await connectTap(mode, 3, { secrets }), { args }),
      { fault: 'TARGET', message },
      mode,
    );
});

t.test(
  'a tap that never ends is ended by a cancel with all that it started, and by its silence',
  async (t) => {
    const controller = new AbortController();
    const read = { method: 'read', args, signal: controller.signal, batchRows: 1 };
    const iterator = (await connectTap('hang')).read(read)[Symbol.asyncIterator]();
    const { id, big } = (await iterator.next()).value.rows[0];
    t.ok([id, big].every(isAlive));
    controller.abort(new Error('cancelled'));
    await t.rejects(iterator.next(), { message: 'cancelled' });
    await gone(id, big);
    await t.rejects(rowsOf(await connectTap('hang', 0, { silence_timeout_seconds: 5 }), { args }), {
      fault: 'UNAVAILABLE',
      message: /"scripted" has written nothing for 5 s/,
    });
  },
);
