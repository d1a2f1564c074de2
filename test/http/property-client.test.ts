import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import t from 'tap';
import { ROLES } from '../../src/http/access.ts';
import { EXECUTOR_KEY, startFullApp } from '../support/full-app.ts';
import type { OpenapiOperation } from '../support/openapi-check.ts';
import { createPerson } from '../support/people.ts';
import { jsonTextOf, schemaArbitrary } from '../support/schema-arbitrary.ts';
import { seeded } from '../support/seed.ts';
import type { Visitor } from '../support/visitor.ts';

const REQUESTS = process.env['HEADGATE_TEST_FAULTS'] === '1' ? 20_000 : 1_500;

/** They end what the requests are made with, or cost a password's hash each time; tests of their own ask them. */
const LEFT_OUT = /^\/api\/auth\/|^\/api\/users|^\/api\/api-keys|reset-|unlock$|share/;
/** They go on for as long as what they follow. */
const ENDLESS = /\/(stream|events|next)$/;
const NO_ID = '9007199254740991';
const IDS = ['1', '2', '3', NO_ID, '0', '-1', 'x', '%00', '%F0%9F%99%82', '1%2F..%2F2', '9'.repeat(40)];

/** What a refused request leaves as it was. */
const STATE = [
  'tasks',
  'task_versions',
  'job_templates',
  'dashboard_templates',
  'jobs',
  'job_states',
  'dashboards',
  'explorer_presets',
  'triggers',
  'backfills',
  'job_runs',
  'connectors',
  'metrics_configs',
  'server_config',
  'dead_letters',
];

interface Asked {
  readonly who: string;
  readonly method: string;
  readonly url: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = REQUESTS * 400;
t.setTimeout(TIMEOUT_MS);

t.test(
  `${REQUESTS} requests made of the OpenAPI document by everybody`,
  { timeout: TIMEOUT_MS },
  async (t) => {
    const { seed } = seeded(t);
    const path = join(t.testdir(), 'state.db');
    const full = await startFullApp(t, 'sqlite', { SVC_STATE_PATH: path });
    const { visitor: root } = await full.superadmin();
    const visitors = new Map<string, Visitor>([
      ['nobody', full.visitor('198.51.100.7')],
      ['executor', full.withToken(EXECUTOR_KEY)],
    ]);
    for (const role of ROLES) visitors.set(role, (await createPerson(full, root, role)).program);
    const database = new DatabaseSync(path, { readOnly: true });
    t.teardown(() => database.close());
    const state = () =>
      JSON.stringify(STATE.map((table) => database.prepare(`select * from ${table} order by 1`).all()));

    const document = full.document();
    const resolve = (ref: string) => document.components.schemas[ref.slice(ref.lastIndexOf('/') + 1)];
    const operations = Object.entries(document.paths).flatMap(([url, methods]) =>
      LEFT_OUT.test(url)
        ? []
        : Object.entries(methods).map(([method, operation]) => ({
            method: method.toUpperCase(),
            url,
            operation,
          })),
    );
    const asked = fc
      .constantFrom(...operations)
      .chain((one) => requestOf(one.method, one.url, one.operation, resolve, [...visitors.keys()]));

    const failures: string[] = [];
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(asked, fc.integer({ min: 0, max: 9 }), async (request, luck) => {
        const who = visitors.get(request.who);
        const search = new URLSearchParams(
          Object.entries(request.query).map(([key, value]): [string, string] => [key, queryTextOf(value)]),
        );
        const sampled = luck === 0 && request.method !== 'GET';
        const before = sampled ? state() : '';
        const at = `${request.who}: ${request.method} ${request.url}?${search}`;
        const payload = request.body === undefined ? undefined : jsonTextOf(request.body);
        const answer = await who?.send(
          request.method as 'POST',
          `${request.url}?${search}`,
          payload,
          request.headers,
        );
        const status = answer?.status ?? 0;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if ((status >= 500 && !PART_MISSING.has(status)) || status === 0)
          failures.push(`${at} ${payload?.slice(0, 300)}: ${status} ${answer?.text.slice(0, 200)}`);
        if (sampled && status >= 400 && state() !== before)
          failures.push(`${at} ${payload?.slice(0, 300)}: ${status}, and something has changed`);
      }),
      { numRuns: REQUESTS, seed, endOnFailure: true },
    );
    t.comment(JSON.stringify(Object.fromEntries([...statuses].sort())));
    t.same(failures.slice(0, 20), []);
    t.same([...new Set(full.openapi.breaches)], [], 'every answer is what the OpenAPI document says');
    t.ok(
      (statuses.get(200) ?? 0) > REQUESTS / 50 && (statuses.get(400) ?? 0) > REQUESTS / 20,
      'of each kind',
    );
  },
);

/** The other end of a connector fails, or readiness is asked while the clock stands still. */
const PART_MISSING: ReadonlySet<number> = new Set([502, 503]);

function requestOf(
  method: string,
  url: string,
  { parameters = [], requestBody }: OpenapiOperation,
  resolve: (ref: string) => unknown,
  people: readonly string[],
): fc.Arbitrary<Asked> {
  const ids = ENDLESS.test(url) ? fc.constant(NO_ID) : fc.constantFrom(...IDS);
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const content = requestBody?.content['application/json'];
  return fc.record({
    who: fc.constantFrom(...people, 'superadmin', 'superadmin'),
    method: fc.constant(method),
    url: fc.array(ids, { minLength: 3, maxLength: 3 }).map((given) => {
      let next = 0;
      return url.replace(/\{\w+\}/g, () => given[next++ % given.length] ?? NO_ID);
    }),
    query: fc.record(
      Object.fromEntries(query.map(({ name, schema }) => [name, schemaArbitrary(schema, resolve)])),
      { requiredKeys: [] },
    ),
    body:
      content === undefined
        ? fc.constant(undefined)
        : fc.oneof(
            { arbitrary: fc.constant(content.example), weight: 1 },
            { arbitrary: schemaArbitrary(content.schema, resolve), weight: 6 },
          ),
    headers: fc.oneof(
      { arbitrary: fc.constant({}), weight: 12 },
      { arbitrary: fc.constantFrom(...HEADERS), weight: 1 },
    ),
  });
}

function queryTextOf(value: unknown): string {
  return (typeof value === 'string' ? value : jsonTextOf(value)).toWellFormed();
}

const HEADERS: readonly Readonly<Record<string, string>>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/xml' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-encoding': 'gzip' },
  { 'if-match': '"1"' },
  { 'if-match': 'W/"x"' },
  { 'if-match': '*' },
  { 'idempotency-key': 'one' },
  { 'idempotency-key': 'x'.repeat(1_000) },
  { 'x-session-token': 'x' },
];
