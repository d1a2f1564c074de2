import t from 'tap';
import { ConnectorError } from '../../../src/drivers/driver.ts';
import { createKeeper } from '../support/task-run.ts';
import { enrich, peopleIn, unavailable } from './lookup-scene.ts';

const folder = t.testdir();
peopleIn(folder, [
  [1, 'eu', 'Ada'],
  [2, 'us', 'Bo'],
  [3, 'eu', 'Cy'],
  [3, 'us', 'Di'],
]);
const LIST = {
  connector: 'people',
  method: 'list',
  args: { table: 'people' },
  on: { who: 'id' },
  fields: { who_name: 'name' },
};
const rowsFor = (...who: readonly unknown[]) => who.map((one, n) => ({ n, who: one }));
const QUERY = {
  ...LIST,
  method: 'query',
  args: { sql: 'SELECT * FROM people WHERE id = ?', params: ['{{ key }}'] },
};

t.test('fields come by the key, each key is asked for once, and what is not there is null', async (t) => {
  const { out, calls, step, keeper } = await enrich({
    folder,
    lookup: LIST,
    rows: rowsFor(1, 2, 1, 9, null),
  });
  t.strictSame(
    out.map(({ who, who_name }) => [who, who_name]),
    [
      [1, 'Ada'],
      [2, 'Bo'],
      [1, 'Ada'],
      [9, null],
      [null, null],
    ],
  );
  t.strictSame(calls, [{ table: 'people', filter: { id: { in: [1, 2, 9] } } }]);
  t.match(step, { rows_in: 5, rows_out: 5, rows_failed: 0, rows_filtered: 0 });
  const told = keeper.logs.find(({ message }) => message.startsWith('Looked up'));
  t.equal(told?.message, 'Looked up 3 keys in "people" with 1 calls: 2 have a match');
});

t.test('the cache answers later batches, and without one they ask again', async (t) => {
  const rows = rowsFor(1, 2, 1, 2, 1, 9, 9, 9);
  const batched = { rows, folder, keys: { batch: { size: 2 } } };
  const of = async (cache: number) => {
    const keeper = createKeeper();
    const made = await enrich({ ...batched, lookup: { ...LIST, cache, keys_per_call: 1 }, keeper });
    t.equal(made.out.length, 8);
    return made.calls.length;
  };
  t.equal(await of(10), 3);
  t.equal(await of(0), 7);
});

t.test('a row without a match is kept, dropped or failed, and so is one with several', async (t) => {
  const rows = rowsFor(1, 9, 3);
  const dead = { on_error: 'dead_letter' };
  const made = (lookup: object) => enrich({ folder, lookup: { ...LIST, ...lookup }, rows, keys: dead });
  const kept = await made({});
  t.strictSame(
    kept.out.map(({ n }) => n),
    [0, 1],
  );
  t.match(kept.keeper.letters, [
    {
      code: 'LOOKUP_SEVERAL',
      item: { n: 2, who: 3 },
      column: 'who',
      value: 3,
      message: /"people" has several rows with who = 3; "on_several"/,
    },
  ]);
  const dropped = await made({ on_missing: 'drop', on_several: 'first' });
  t.strictSame(
    dropped.out.map(({ who_name }) => who_name),
    ['Ada', 'Cy'],
  );
  t.match(dropped.step, { rows_in: 3, rows_out: 2, rows_filtered: 1 });
  const all = await made({ on_missing: 'fail', on_several: 'all' });
  t.strictSame(
    all.out.map(({ who_name }) => who_name),
    ['Ada', 'Cy', 'Di'],
  );
  t.match(all.keeper.letters, [
    { code: 'LOOKUP_MISSING', item: { n: 1 }, message: /"people" has no row with who = 9/ },
  ]);
  const failed = await enrich({ folder, lookup: { ...LIST, on_missing: 'fail' }, rows });
  t.match(failed.failure, { code: 'LOOKUP_MISSING', step_id: 'shape' });
});

t.test('several fields are one key, and a field that is there is replaced in its place', async (t) => {
  const lookup = { ...LIST, on: { who: 'id', where: 'region' }, fields: { where: 'region', name: 'name' } };
  const rows = [
    { who: 3, where: 'us', n: 1 },
    { who: 3, where: 'eu', n: 2 },
    { who: 2, where: 'eu', n: 3 },
  ];
  const { out } = await enrich({ folder, lookup, rows });
  t.strictSame(out, [
    { who: 3, where: 'us', n: 1, name: 'Di' },
    { who: 3, where: 'eu', n: 2, name: 'Cy' },
    { who: 2, where: null, n: 3, name: null },
  ]);
});

t.test('arguments that read the key make a call for each', async (t) => {
  const { out, calls } = await enrich({
    folder,
    lookup: { ...QUERY, concurrency: 3 },
    rows: rowsFor(2, 1, 9),
  });
  t.strictSame(
    out.map(({ who_name }) => who_name),
    ['Bo', 'Ada', null],
  );
  t.equal(calls.length, 3);
});

t.test('keys of another type are refused, and not taken for strangers', async (t) => {
  const cast = [{ cast: { who: 'string' } }];
  const { failure } = await enrich({ folder, lookup: LIST, rows: rowsFor(1), before: cast });
  t.match(failure, {
    code: 'VALIDATION_ERROR',
    message: /"who" is string, and "id" is integer; cast it before/,
  });
});

t.test('a call that fails is tried again; then its rows fail, or the step', async (t) => {
  const retry = { max_attempts: 2, delay: '0.01s' };
  const rows = rowsFor(1, 2);
  const lookup = { ...QUERY, retry };
  const once = await enrich({ folder, lookup, rows, fault: (call) => (call === 1 ? unavailable() : null) });
  t.strictSame(
    once.out.map(({ who_name }) => who_name),
    ['Ada', 'Bo'],
  );
  const isTwo = (args: unknown) => JSON.stringify(args).includes('[2]');
  const gone = (_: number, args: unknown) => (isTwo(args) ? unavailable() : null);
  const keys = { on_error: 'dead_letter' };
  const letters = await enrich({ folder, lookup, rows, keys, fault: gone });
  t.strictSame(
    letters.out.map(({ who_name }) => who_name),
    ['Ada'],
  );
  t.match(letters.keeper.letters, [
    { code: 'LOOKUP_ERROR', item: { n: 1, who: 2 }, message: /The people are away/ },
  ]);
  t.equal(letters.calls.length, 3, 'two attempts for the second key');
  const whole = await enrich({ folder, lookup, rows, fault: gone });
  t.match(whole.failure, { code: 'CONNECTOR_UNAVAILABLE', step_id: 'shape' });
  const config = await enrich({
    folder,
    lookup,
    rows,
    keys,
    fault: () => new ConnectorError('CONFIG', 'no such table'),
  });
  t.match(config.failure, { code: 'CONNECTOR_CONFIG' }, 'is not the fault of rows');
});

t.test('keys that fail together are asked for apart', async (t) => {
  const fault = (_: number, args: unknown) =>
    JSON.stringify(args).includes('7') ? new ConnectorError('DATA', 'seven is no id') : null;
  const made = await enrich({
    folder,
    lookup: LIST,
    rows: rowsFor(1, 2, 7, 9),
    keys: { on_error: 'dead_letter' },
    fault,
  });
  t.strictSame(
    made.out.map(({ who }) => who),
    [1, 2, 9],
  );
  t.match(made.keeper.letters, [{ code: 'DATA_ERROR', item: { who: 7 }, message: 'seven is no id' }]);
});

t.test('a replay of dead letters looks them up', async (t) => {
  const keeper = createKeeper();
  keeper.replayed.push({ letter_id: 5, item: { n: 1, who: 2 } }, { letter_id: 6, item: { n: 2, who: 9 } });
  const input = { replay: { step_id: 'shape', letters: 2 } };
  const append = { folder, rows: [], keeper, input, keys: { on_error: 'dead_letter' } };
  const made = await enrich({ ...append, lookup: { ...LIST, on_missing: 'fail' }, mode: 'append' });
  t.strictSame(made.out, [{ n: 1, who: 2, who_name: 'Bo' }]);
  t.match(keeper.letters, [{ code: 'LOOKUP_MISSING', replay_of: 6 }]);
});

t.test('calls begin no faster than the rate allows', async (t) => {
  const from = performance.now();
  const made = await enrich({
    folder,
    lookup: { ...QUERY, rate_limit: { limit: 20 }, concurrency: 4 },
    rows: rowsFor(1, 2, 8, 9),
  });
  t.equal(made.calls.length, 4);
  t.ok(performance.now() - from >= 140, 'three waits of 50 ms');
});
