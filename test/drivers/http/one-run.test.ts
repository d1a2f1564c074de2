import t, { type Test } from 'tap';
import { runYaml } from '../../engine/support/task-run.ts';
import { answer, startApi } from './http-api.ts';

const CONNECTORS = 'connectors: { api: { type: http }, out: { type: sqlite } }';
const PER_MS = 150;

/** An API that asks for a token, and counts what it is sent. */
async function countingApi(t: Test, lifeSeconds = 3_600) {
  const seen = {
    tokens: 0,
    begun: [] as number[],
    startedAt: performance.now(),
    refused: 0,
    sockets: new Set<unknown>(),
  };
  const api = await startApi(t, (query, { path, headers }, _index, response) => {
    if (path.endsWith('/token')) {
      seen.tokens++;
      return { access_token: `t${seen.tokens}`, expires_in: lifeSeconds };
    }
    if (headers.authorization !== `Bearer t${seen.tokens}`) {
      seen.refused++;
      return answer(response, 401);
    }
    seen.begun.push(performance.now());
    seen.sockets.add(response.socket);
    return [{ id: Number(query.get('n') ?? 0) }];
  });
  const config = {
    base_url: `${api.base}/v1`,
    auth: { type: 'oauth2_client_credentials', token_url: `${api.base}/token`, client_id: 'me' },
    client_secret: 'secret',
    rate_limit: { requests: 2, per_ms: PER_MS },
  };
  const connectors = {
    api: { type: 'http', config },
    out: { type: 'sqlite', config: { path: 'out.db', create: true } },
  };
  return { seen, run: (yaml: string) => runYaml({ folder: t.testdir({}), yaml, connectors }) };
}

const READ =
  '{ id: read, kind: extract, connector: api, method: list, args: { path: /list, query: { n: "{{ item }}" } } }';
const WRITE = '{ id: write, kind: load, input: read, connector: out, object: "t_{{ item }}", mode: replace }';

/** Whether the last request came no sooner than the limit lets it; what is slow makes it later, never sooner. */
function checkPace(
  t: Test,
  { begun, startedAt }: { readonly begun: readonly number[]; readonly startedAt: number },
): void {
  const lastMs = (begun.at(-1) ?? 0) - startedAt;
  const leastMs = (Math.ceil(begun.length / 2) - 1) * PER_MS;
  t.ok(lastMs >= leastMs, `the last of ${begun.length} requests came after ${Math.round(lastMs)} ms`);
}

for (const concurrency of [1, 6]) {
  t.test(
    `all items of a foreach share one limit of rate and one token (${concurrency} at once)`,
    async (t) => {
      const { seen, run } = await countingApi(t);
      const outcome = await run(`
version: 1
name: items
${CONNECTORS}
steps:
  - id: each
    kind: foreach
    in_expr: "[1..10]"
    concurrency: ${concurrency}
    steps:
      - ${READ}
      - ${WRITE}
`);
      t.match(outcome, { failure: null, status: 'success', rows_out: 10 });
      t.equal(seen.begun.length, 10);
      t.equal(seen.tokens, 1);
      checkPace(t, seen);
      t.ok(seen.sockets.size <= concurrency + 1, `${seen.sockets.size} sockets`);
    },
  );
}

t.test('steps one after another, calls and lookups share them too', async (t) => {
  const { seen, run } = await countingApi(t);
  const outcome = await run(`
version: 1
name: steps
${CONNECTORS}
steps:
  - { id: one, kind: extract, connector: api, method: list, args: { path: /list, query: { n: 1 } } }
  - { id: first, kind: load, input: one, connector: out, object: first }
  - { id: two, kind: extract, connector: api, method: list, args: { path: /list, query: { n: 2 } } }
  - id: found
    kind: transform
    input: two
    ops:
      - lookup: { connector: api, method: list, args: { path: /list, query: { n: "{{ key }}" } }, on: { id: id }, fields: { same: id } }
  - { id: second, kind: load, input: found, connector: out, object: second }
  - { id: get, kind: call, connector: api, method: get, args: { path: /list } }
`);
  t.match(outcome, { status: 'success', rows_out: 2 });
  t.equal(seen.begun.length, 4);
  t.equal(seen.tokens, 1);
  checkPace(t, seen);
});

t.test('a token that expires in the middle is asked for once by all who wait for it', async (t) => {
  const { seen, run } = await countingApi(t, 1);
  const outcome = await run(`
version: 1
name: expiring
${CONNECTORS}
steps:
  - { id: each, kind: foreach, in_expr: "[1..30]", concurrency: 8, steps: [${READ}, ${WRITE}] }
`);
  t.match(outcome, { status: 'success', rows_out: 30 });
  // The run takes a bit more than two seconds by its limit of rate.
  t.ok(seen.tokens >= 2 && seen.tokens <= 6, `${seen.tokens} tokens`);
});
