// Long list: it tries every combination of many; quick: test/http/errors.test.ts, test/http/request/request-problems.test.ts, test/modules/executor-callbacks/callback-routes.test.ts.
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import pg from 'pg';
import t, { type Test } from 'tap';
import { ROLES } from '../../src/http/access.ts';
import { type DocumentOperation, payloadOf, requestOf, urlOf } from '../support/document-request.ts';
import { fewOrMany, isFullList, ofFullList } from '../support/fault-list.ts';
import { EXECUTOR_KEY, type FullApp, startFullApp } from '../support/full-app.ts';
import { makeOneOfEach, type OneOfEach } from '../support/one-of-each.ts';
import type { OpenapiDocument } from '../support/openapi-check.ts';
import { createPerson } from '../support/people.ts';
import { seeded } from '../support/seed.ts';
import { type StoreKind, storeSettings } from '../support/stores.ts';
import { codeOf, PASSWORD, type Visitor } from '../support/visitor.ts';

/** Records are destroyed by the requests: new ones are made so often. */
const RENEWED_EVERY = 250;
/** The share of the operations that are to take a request of the long list at least once. */
const OPERATIONS_MIN = 0.8;

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
  'ai_references',
];

interface Case {
  readonly kind: StoreKind;
  readonly requests: number;
  readonly skip?: boolean | string;
}
const SHORT: readonly Case[] = [
  { kind: 'sqlite', requests: 150 },
  { kind: 'postgres', requests: 150 },
];
const CASES: readonly Case[] = [
  ...(isFullList ? [] : SHORT),
  { kind: 'sqlite', requests: fewOrMany(0, 4_500), ...ofFullList },
  { kind: 'postgres', requests: fewOrMany(0, 1_500), ...ofFullList },
];

t.setTimeout(3_600_000);

for (const { kind, requests, skip = false } of CASES) {
  t.test(
    `${requests} requests made of the OpenAPI document by everybody (${kind})`,
    { timeout: requests * 400, skip },
    async (t) => {
      const { seed } = seeded(t);
      const { full, state } = await watched(t, kind);
      const world = await World.open(full);
      const failures: string[] = [];
      const statuses = new Map<number, number>();
      const taken = new Map<string, number>();
      const asked = requestsOf(full.document(), world.people);
      await fc.assert(
        fc.asyncProperty(asked, fc.integer({ min: 0, max: 9 }), async (request, luck) => {
          const one = await world.current();
          const { method, path } = request;
          const url = urlOf(request, one);
          const payload = payloadOf(request, one);
          const sampled = luck === 0 && method !== 'GET';
          const send = () => world.visitor(request.who).send(method as 'POST', url, payload, request.headers);
          const before = sampled ? await state() : '';
          const answer = await send();
          const { status, text } = answer;
          const at = `${request.who}: ${method} ${url} ${payload?.slice(0, 300)}: ${status}`;
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (status < 400) taken.set(`${method} ${path}`, (taken.get(`${method} ${path}`) ?? 0) + 1);
          if (status >= 500 && !byContract(path, status, text)) failures.push(`${at} ${text.slice(0, 200)}`);
          if (sampled && status >= 400 && (await state()) !== before && (await changes(send, state)))
            failures.push(`${at}, and something has changed`);
          await world.after(request.who);
        }),
        { numRuns: requests, seed, endOnFailure: true },
      );
      const operations = operationsOf(full.document());
      const never = operations.map(nameOf).filter((name) => !taken.has(name));
      t.comment(JSON.stringify(Object.fromEntries([...statuses].sort())));
      t.comment(`${never.length} of ${operations.length} operations took none: ${never.join(', ')}`);
      t.same(failures.slice(0, 20), []);
      t.same([...new Set(full.openapi.breaches)], [], 'every answer is what the OpenAPI document says');
      const shareOf = (...of: number[]) =>
        of.reduce((sum, status) => sum + (statuses.get(status) ?? 0), 0) / requests;
      t.ok(shareOf(200, 201, 202, 204) > 0.2, 'a fair share is taken');
      t.ok(shareOf(400) > 0.05, 'a fair share is refused');
      if (requests > 5_000)
        t.ok(never.length < operations.length * (1 - OPERATIONS_MIN), 'most operations took some');
    },
  );
}

/** Whether a refused request changes something each time: runs that go on beside it change by themselves now and then. */
async function changes(send: () => Promise<unknown>, state: () => Promise<string>): Promise<boolean> {
  for (let n = 0; n < 3; n += 1) {
    const before = await state();
    await send();
    if ((await state()) === before) return false;
  }
  return true;
}

/** The other end of a connector fails; or readiness compares the loops' last turns with a clock that stands still. */
function byContract(path: string, status: number, text: string): boolean {
  if (status === 503) return path === '/api/health/ready';
  const ofConnector = text.includes('"error":"CONNECTOR_ERROR"');
  return ofConnector && (status === 502 || path === '/api/connectors/{id}/introspect');
}

const nameOf = ({ method, path }: DocumentOperation) => `${method} ${path}`;

function operationsOf({ paths }: OpenapiDocument): DocumentOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function requestsOf(document: OpenapiDocument, people: readonly string[]) {
  const resolve = (ref: string) => document.components.schemas[ref.slice(ref.lastIndexOf('/') + 1)];
  return fc.constantFrom(...operationsOf(document)).chain((one) => {
    if (one.path.startsWith('/api/auth/')) return requestOf(one, resolve, ['nobody', 'browser', 'browser']);
    const ofExecutors = one.operation.security?.some((way) => 'ExecutorKeyAuth' in way) === true;
    const often = ofExecutors ? 'executor' : 'superadmin';
    return requestOf(one, resolve, [...people, ...people.map(() => often)]);
  });
}

/** The whole control plane, and what its tables hold. */
async function watched(t: Test, kind: StoreKind): Promise<{ full: FullApp; state: () => Promise<string> }> {
  const settings = await storeSettings(t, kind);
  const full = await startFullApp(t, settings);
  if (settings.kind === 'localdb') {
    const database = new DatabaseSync(settings.path, { readOnly: true });
    t.teardown(() => database.close());
    const all = (table: string) => database.prepare(`select * from ${table} order by 1`).all();
    return { full, state: async () => JSON.stringify(STATE.map(all)) };
  }
  const client = new pg.Client({ connectionString: settings.url });
  await client.connect();
  t.teardown(() => client.end());
  const state = async () => {
    const tables: unknown[] = [];
    for (const table of STATE) tables.push((await client.query(`select * from ${table} order by 1`)).rows);
    return JSON.stringify(tables);
  };
  return { full, state };
}

/** Who asks, and the records that they ask for. */
class World {
  readonly #full: FullApp;
  readonly #root: Visitor;
  readonly #visitors: Map<string, Visitor>;
  #one: OneOfEach | null = null;
  #requests = 0;
  #browsers = 0;

  private constructor(full: FullApp, root: Visitor, visitors: Map<string, Visitor>) {
    this.#full = full;
    this.#root = root;
    this.#visitors = visitors;
  }

  static async open(full: FullApp): Promise<World> {
    const { visitor: root } = await full.superadmin();
    const visitors = new Map<string, Visitor>([
      ['nobody', full.visitor('198.51.100.7')],
      ['executor', full.withToken(EXECUTOR_KEY)],
    ]);
    for (const role of ROLES) visitors.set(role, (await createPerson(full, root, role)).program);
    const world = new World(full, root, visitors);
    await world.#signIn();
    return world;
  }

  get people(): string[] {
    return [...this.#visitors.keys()];
  }

  visitor(who: string): Visitor {
    const visitor = this.#visitors.get(who);
    if (visitor === undefined) throw new Error(`nobody is "${who}"`);
    return visitor;
  }

  async current(): Promise<OneOfEach> {
    if (this.#one === null || this.#requests++ % RENEWED_EVERY === 0) {
      await this.#makeRoom();
      this.#one = await makeOneOfEach(this.#full, this.visitor('superadmin'), this.#requests);
      this.#visitors.set('executor', this.#one.executor);
    }
    return this.#one;
  }

  /** There may be only so many of these. */
  async #makeRoom(): Promise<void> {
    for (const list of ['/api/metrics/config', '/api/webhooks', '/api/ai/references']) {
      const { body } = await this.#root.get<{ result: { id: number }[] }>(`${list}?limit=200`);
      for (const { id } of body.result) await this.#root.delete(`${list}/${id}`);
    }
  }

  /** Whoever has signed themselves out is somebody new. */
  async after(who: string): Promise<void> {
    if (who !== 'browser') return;
    if ((await this.visitor(who).get('/api/auth/me')).status !== 200) await this.#signIn();
  }

  /** Not `signIn`: a new user has used no code yet, and the clock stands still. */
  async #signIn(): Promise<void> {
    const n = this.#browsers++;
    const visitor = this.#full.visitor(`203.0.${n >> 8}.${n & 255}`);
    const email = `browser.${n}@example.com`;
    const account = { email, name: 'B', role: 'editor', password: PASSWORD };
    const made = await this.#root.post('/api/users', account);
    if (made.status !== 201) throw new Error(`user: ${made.text}`);
    const login = await visitor.post<{ totp_enrolment: { secret: string } }>('/api/auth/login', {
      email,
      password: PASSWORD,
    });
    const code = codeOf(login.body.totp_enrolment.secret, this.#full.clock);
    const verified = await visitor.post('/api/auth/verify-totp', { code });
    if (verified.status !== 200) throw new Error(`verify-totp: ${verified.text}`);
    this.#visitors.set('browser', visitor);
  }
}
