import t, { type Test } from 'tap';
import { createKeeper, runYaml } from '../../engine/support/task-run.ts';
import type { Received } from '../../support/http-receiver.ts';
import { answer, startApi } from './http-api.ts';

const yamlOf = (load: string) => `
version: 1
name: contacts
connectors: { from: {type: dummy}, api: {type: http} }
steps:
  - { id: read, kind: extract, connector: from, method: list }
  - { id: write, kind: load, input: read, connector: api, object: contacts, ${load} }
`;
const keyOf = ({ headers }: Received) => headers['idempotency-key'];

/** A run that loads rows into the resource `contacts`. */
function loadOf(
  t: Test,
  base: string,
  write: object,
  rows: readonly object[],
  load: string,
  config: object = {},
) {
  const keeper = createKeeper();
  const resources = { contacts: { path: '/contacts', write } };
  const connectors = {
    from: { type: 'dummy', config: { rows } },
    api: { type: 'http', config: { base_url: base, retry: { base_ms: 1 }, resources, ...config } },
  };
  return { keeper, run: { folder: t.testdir({}), yaml: yamlOf(load), connectors, keeper } };
}

const ROWS = [
  { id: 1, name: 'Ada' },
  { id: 2, name: 'Bob' },
  { id: 2, name: 'Bob' },
];
const KEYED = 'mode: append, retry: { max_attempts: 3, delay: 0s }';

t.test('one request a row, with a key that every attempt repeats and no two rows share', async (t) => {
  const done = new Map<unknown, string>();
  const api = await startApi(t, (_query, request, index, response) => {
    const repeated = done.has(keyOf(request));
    done.set(keyOf(request), request.body);
    // The first answer gets lost after the API has done what it was asked for, and the third attempt in a row ends the step's.
    if (index === 0) return response.destroy() && undefined;
    return index < 4 && !repeated ? answer(response, 503) : {};
  });
  const { run } = loadOf(t, api.base, { append: { idempotent: true } }, ROWS, KEYED, {
    retry: { base_ms: 1, max_attempts: 2 },
  });
  t.match(await runYaml(run), { status: 'success', rows_out: 3 });
  t.strictSame(
    [...done.values()].toSorted(),
    ROWS.map((row) => JSON.stringify(row)),
  );
  t.match(api.receiver.received[0], { method: 'POST', path: '/contacts' });
});

t.test(
  'rows that the API refuses are dead letters with its status and words, the others are in',
  async (t) => {
    const api = await startApi(t, (_query, { body }, _index, response) =>
      body.includes('Bob')
        ? answer(response, 422, '{"error":"name is taken"}', { 'content-type': 'application/json' })
        : {},
    );
    const load = 'mode: append, on_error: dead_letter';
    const { run, keeper } = loadOf(
      t,
      api.base,
      { append: { idempotent: false, place: 'data.contact' } },
      ROWS,
      load,
    );
    t.match(await runYaml(run), { status: 'warning', rows_out: 1, rows_failed: 2 });
    t.match(keeper.letters, [
      { item: ROWS[1], code: 'DATA_ERROR', message: 'The API answered 422: {"error":"name is taken"}' },
      { item: ROWS[2] },
    ]);
    t.equal(api.receiver.received[0]?.body, '{"data":{"contact":{"id":1,"name":"Ada"}}}');
  },
);

t.test('the first refused row ends a load that lets none fail', async (t) => {
  const api = await startApi(t, (_query, { body }, _index, response) =>
    body.includes('Ada') ? answer(response, 400) : {},
  );
  const { run, keeper } = loadOf(t, api.base, { append: { idempotent: true } }, ROWS, 'mode: append');
  t.match(await runYaml(run), { status: 'error', failure: { message: /The API answered 400/ } });
  t.equal(api.receiver.received.length, 1);
  t.match(
    keeper.logs.map(({ message }) => message).join('\n'),
    /rows already sent to "contacts" remain there/,
  );
});

t.test('an API without keys is never sent a row twice', async (t) => {
  const api = await startApi(t, (_query, _request, index, response) =>
    index === 0
      ? answer(response, 429, '', { 'retry-after': '0' })
      : index === 2
        ? answer(response, 502)
        : {},
  );
  const { run } = loadOf(t, api.base, { append: { idempotent: false } }, ROWS, KEYED);
  t.match(await runYaml(run), {
    status: 'error',
    failure: { message: /502.*1 rows were sent before and stay/ },
  });
  const bodies = api.receiver.received.map(({ body }) => JSON.parse(body).id);
  t.strictSame(bodies, [1, 1, 2], '429 says that nothing was done; 502 does not');
});

t.test('rows go to paths of their own, and those that are gone are counted as such', async (t) => {
  const api = await startApi(t, (_query, { path, method }, _index, response) => {
    if (method === 'DELETE' && path === '/contacts/2') return answer(response, 404);
    return method === 'PUT' && path.endsWith('/a%2Fb') ? answer(response, 404) : {};
  });
  const write = { upsert: { path: '/contacts/{id}' }, delete: { path: '/contacts/{id}' } };
  const removed = loadOf(t, api.base, write, ROWS, 'mode: delete, key: [id]');
  t.match(await runYaml(removed.run), { status: 'success', rows_out: 1, steps: [{}, { rows_skipped: 2 }] });
  t.match(api.receiver.received[0], { method: 'DELETE', path: '/contacts/1', body: '' });
  const rows = [{ id: 'a/b' }, { id: null }, { id: '..' }, { id: 7 }];
  const put = loadOf(t, api.base, write, rows, 'mode: merge, key: [id], on_error: dead_letter');
  t.match(await runYaml(put.run), { status: 'warning', rows_out: 1, rows_failed: 3 });
  t.strictSame(
    put.keeper.letters.map(({ column }) => column ?? null),
    [null, 'id', 'id'],
  );
  t.match(api.receiver.received.at(-1), { method: 'PUT', path: '/contacts/7', body: '{"id":7}' });
});

t.test('a batch that is refused is halved until the rows at fault are alone', async (t) => {
  const rows = Array.from({ length: 10 }, (_, id) => ({ id }));
  const loaded: number[] = [];
  const api = await startApi(t, (_query, { body }, _index, response) => {
    const ids = JSON.parse(body).items.map(({ id }: { id: number }) => id);
    if (ids.includes(6)) return answer(response, 422, 'six');
    loaded.push(...ids);
    return {};
  });
  const write = { append: { idempotent: true, batch_size: 4, place: 'items', concurrency: 2 } };
  const { run, keeper } = loadOf(t, api.base, write, rows, 'mode: append, on_error: dead_letter');
  t.match(await runYaml(run), { status: 'warning', rows_out: 9, rows_failed: 1 });
  t.strictSame(loaded.toSorted(), [0, 1, 2, 3, 4, 5, 7, 8, 9]);
  t.match(keeper.letters, [{ item: { id: 6 }, message: 'The API answered 422: six' }]);
});

t.test('what a resource does not say of loads is told before anything is sent', async (t) => {
  const api = await startApi(t, () => ({}));
  const cases = {
    'mode: delete, key: [id]': /set its "write\.delete"/,
    'mode: append, audit: true': /does not support audit columns/,
    'mode: upsert, key: [id]': /leave "batch_size" out/,
  };
  const write = { append: { idempotent: true }, upsert: { path: '/c/{id}', batch_size: 2 } };
  for (const [load, message] of Object.entries(cases)) {
    const { run } = loadOf(t, api.base, write, ROWS, load);
    t.match(await runYaml(run), { status: 'error', failure: { message } }, load);
  }
  const { run } = loadOf(t, api.base, write, ROWS, 'mode: append');
  const yaml = run.yaml.replace('object: contacts', 'object: people');
  t.match(await runYaml({ ...run, yaml }), {
    failure: { message: 'The connector has no resource "people" to load into; it has contacts' },
  });
  t.equal(api.receiver.received.length, 0);
});
