import t from 'tap';
import { createKeeper, rowsOf, runYaml } from '../../engine/support/task-run.ts';
import { answer, startApi } from './http-api.ts';

const YAML = `
version: 1
name: contacts
args: { size: { type: integer, default: 2 } }
connectors: { api: {type: http}, db: {type: sqlite} }
steps:
  - id: read
    kind: extract
    connector: api
    method: list
    args: { path: /contacts, records: data }
    paginate: { type: cursor, cursor_path: next, cursor_param: from, size_param: size, size: "{{ args.size }}" }
    cursor: { field: at, type: integer, param: since }
  - { id: write, kind: load, input: read, connector: db, object: contacts, mode: merge, key: [id] }
`;

t.test('an extract pages its list, and asks for what is new since its last run', async (t) => {
  const all = [1, 2, 3, 4, 5].map((id) => ({ id, at: id * 10 }));
  const api = await startApi(t, (query) => {
    const [from, size] = [Number(query.get('from') ?? 0), Number(query.get('size'))];
    const found = all.filter(({ at }) => at >= Number(query.get('since') ?? 0));
    return { data: found.slice(from, from + size), next: from + size < found.length ? from + size : null };
  });
  const folder = t.testdir({});
  const connectors = {
    api: { type: 'http', config: { base_url: api.base } },
    db: { type: 'sqlite', config: { path: 'a.db' } },
  };
  const run = { folder, yaml: YAML, connectors, keeper: createKeeper() };
  t.match(await runYaml(run), { status: 'success', rows_in: 5 });
  t.strictSame(api.queries(), ['size=2', 'size=2&from=2', 'size=2&from=4']);
  all.push({ id: 6, at: 60 });
  t.match(await runYaml(run), { status: 'success', rows_in: 2 });
  t.equal(api.queries().at(-1), 'since=50&size=2');
  t.strictSame(rowsOf(`${folder}/a.db`, 'select count(*) n from contacts'), [{ n: 6 }]);
});

t.test('a call that the API may have done is not done again by its step', async (t) => {
  const api = await startApi(t, (_query, _request, _index, response) => answer(response, 500));
  const call = (more: string) => `
version: 1
name: order
connectors: { api: {type: http} }
steps:
  - id: send
    kind: call
    connector: api
    method: request
    args: { path: /orders, body: {amount: 1}${more} }
    retry: { max_attempts: 2, delay: 1s, jitter: 0 }
`;
  const connectors = {
    api: { type: 'http', config: { base_url: api.base, retry: { max_attempts: 1 } } },
  };
  const run = { folder: t.testdir({}), connectors };
  const { failure } = await runYaml({ ...run, yaml: call('') });
  t.match(failure, { code: 'CONNECTOR_UNAVAILABLE', message: /The API may have done it/ });
  t.equal(api.receiver.received.length, 1);
  await runYaml({ ...run, yaml: call(', idempotency_key: order-1') });
  t.equal(api.receiver.received.length, 3, 'an API that knows the key does it once');
});
