import t from 'tap';
import { airbyteDriver } from '../../../src/drivers/plugins/airbyte/driver.ts';
import { oneIn } from '../../support/fault-list.ts';
import { seeded } from '../../support/seed.ts';
import { batchesOf, connectScripted, rowsOf, signal } from './scripted.ts';

const ROW = {
  id: 1,
  name: 'name 1',
  big: '9007199254740993',
  amount: '1.50',
  born: '2000-02-29',
  at: null,
  more: { a: [1] },
};

t.test('its test checks the configuration, and finds secrets that would be stored in clear', async (t) => {
  t.equal(await (await connectScripted()).test(signal), 'The source "scripted" is ready');
  const refused = await connectScripted('refused', 1, { secrets: { token: 'very secret' } });
  await t.rejects(refused.test(signal), {
    fault: 'CONFIG',
    message: 'The source refuses: bad token ********',
  });
  const config = { mode: 'good', rows: 1, token: 'x', auth: { kind: 'password', password: 'y' } };
  await t.rejects((await connectScripted('', 0, { config })).test(signal), {
    fault: 'CONFIG',
    message: 'Secret for this source: move "token", "auth.password" from "config" to "secrets"',
  });
  t.match(await (await connectScripted()).call('spec', {}, signal), {
    properties: { token: { airbyte_secret: true } },
  });
});

t.test('streams and their columns come from the source', async (t) => {
  const connection = await connectScripted();
  t.strictSame(await connection.listResources(signal), [
    { name: 'people', type: 'stream' },
    { name: 'app.events', type: 'stream' },
  ]);
  const columns = await connection.describe('people', signal);
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
    ],
  );
  await t.rejects(
    connection.describe('absent', signal),
    /no stream "absent"; there are "people", "app.events"/,
  );
});

t.test('rows have the declared types, and integers beyond 2^53 are kept', async (t) => {
  const [batch, ...others] = await batchesOf(await connectScripted());
  t.equal(others.length, 0);
  t.strictSame(batch?.rows[0], ROW);
  t.strictSame(
    batch?.columns.map(({ type }) => type),
    ['integer', 'string', 'integer', 'decimal', 'date', 'timestamp', 'json'],
  );
  const some = await rowsOf(await connectScripted(), { args: { stream: 'people', columns: ['name', 'id'] } });
  t.strictSame(some[4], { name: 'name 5', id: 5 });
  await t.rejects(rowsOf(await connectScripted(), { args: { stream: 'people', columns: ['none'] } }), {
    fault: 'CONFIG',
    message: 'The stream "people" has no column "none"',
  });
  t.equal((await rowsOf(await connectScripted('good', 50), { limit: 3 })).length, 3);
});

t.test('pages go through a stream', async (t) => {
  const connection = await connectScripted();
  const first = await connection.page({ resource: 'people', limit: 2, filter: { id: { gt: 1 } }, signal });
  t.strictSame(
    first.rows.map(({ id }) => id),
    [2, 3],
  );
  const next = { resource: 'people', limit: 2, filter: { id: { gt: 1 } }, signal };
  const second = await connection.page({ ...next, cursor: first.next_cursor ?? '' });
  t.strictSame([second.rows.map(({ id }) => id), second.next_cursor], [[4, 5], null]);
});

t.test('a state is told once its rows were given, and the next read goes on from it', async (t) => {
  for (const mode of seeded(t).someOf(['good', 'global'], oneIn(2, 1))) {
    const states: unknown[] = [];
    const onState = (state: unknown) => states.push(state);
    const logged: string[] = [];
    const log = (level: string, message: string) => logged.push(`${level} ${message}`);
    const connection = await connectScripted(mode, 5, { secrets: { token: 'very secret' } });
    const batches = connection.read({
      method: 'read',
      args: { stream: 'people' },
      signal,
      batchRows: 3,
      state: { saved: null, onState },
      log,
    });
    const iterator = batches[Symbol.asyncIterator]();
    t.equal((await iterator.next()).value.rows.length, 3);
    t.equal(states.length, 0);
    t.equal((await iterator.next()).value.rows.length, 2);
    t.match(states, [mode === 'good' ? [{ stream: { stream_state: { last: 2 } } }] : [{ type: 'GLOBAL' }]]);
    t.ok((await iterator.next()).done);
    t.equal(states.length, 2);
    t.match(logged, ['warn incremental from 0 with ********', 'info this line is no message']);
    const more = await connectScripted(mode, 7);
    const rows = await rowsOf(more, { state: { saved: states.at(-1), onState } });
    t.strictSame(
      rows.map(({ id }) => id),
      [5, 6, 7],
    );
  }
  const whole = rowsOf(await connectScripted(), {
    args: { stream: 'app.events' },
    state: { saved: null, onState: () => undefined },
  });
  await t.rejects(whole, { fault: 'CONFIG', message: /as a whole: omit "cursor"/ });
  const wrong = rowsOf(await connectScripted(), {
    args: { stream: 'people', cursor_field: 'nme' },
    state: { saved: null, onState: () => undefined },
  });
  await t.rejects(wrong, { fault: 'CONFIG', message: 'The stream "people" has no column "nme"' });
});

t.test('each end that is not good has its fault', async (t) => {
  const secrets = { token: 'very secret' };
  const failing: readonly (readonly [mode: string, fault: string, message: RegExp])[] = [
    ['error', 'CONFIG', /^The source says: refused \*{8}$/],
    ['transient', 'UNAVAILABLE', /^The source says: refused \*{8} \(timed out with \*{8}\)$/],
    ['incomplete', 'UNAVAILABLE', /before it had read the whole stream "people" \(it is INCOMPLETE\)/],
    ['unfinished', 'UNAVAILABLE', /it is STARTED/],
    ['crash', 'TARGET', /"scripted" ended with exit code 3: ValueError: it broke Is the server running\?/],
    ['garbage', 'TARGET', /wrote a line that is no whole message/],
    ['nothing', 'TARGET', /did not write a message of the Airbyte protocol/],
    ['long-line', 'TARGET', /wrote a line of more than 32 MB/],
    ['memory', 'TARGET', /needs more than 400 MB of memory: see "memory_mb" of SVC_PLUGINS/],
  ];
  for (const [mode, fault, message] of seeded(t).someOf(failing, oneIn(3, 1)))
    await t.rejects(rowsOf(await connectScripted(mode, 3, { secrets })), { fault, message }, mode);
  t.equal((await rowsOf(await connectScripted('silent-status'))).length, 5, 'old sources tell no status');
});

t.test('a plug-in that is not there is a wrong configuration', async (t) => {
  await t.rejects(connectScripted('', 0, { plugin: 'other' }), {
    fault: 'CONFIG',
    message:
      'There is no plug-in "other" here (there are "scripted"): add it to SVC_PLUGINS, or in "headgate run" with --plugin other=COMMAND',
  });
  t.strictSame(airbyteDriver.capabilities.write, []);
});
