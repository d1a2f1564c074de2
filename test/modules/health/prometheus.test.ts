import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import t from 'tap';
import { systemClock } from '../../../src/base/clock.ts';
import type { RunEndStatus } from '../../../src/base/run-report.ts';
import { PrometheusMeter } from '../../../src/metering/prometheus-meter.ts';
import { startFullApp } from '../../support/full-app.ts';
import { drawnKinds } from '../../support/stores.ts';

const DOCUMENT = join(import.meta.dirname, '../../../docs/reference/metrics.md');
const MB = 1_048_576;
const SAMPLE =
  /^([a-zA-Z_:][\w:]*)(\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*\})? (NaN|[+-]?Inf|[-+\d.e]+)$/;

interface Family {
  help: string;
  type: string;
  readonly samples: { readonly name: string; readonly labels: string; readonly value: number }[];
}

/** Reads the text exposition; throws for a line that is none. */
function parse(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  const familyOf = (name: string) => {
    const family = families.get(name) ?? { help: '', type: '', samples: [] };
    families.set(name, family);
    return family;
  };
  for (const line of text.split('\n').filter(Boolean)) {
    const [, about, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (about === 'HELP') familyOf(name).help = rest;
    else if (about === 'TYPE') familyOf(name).type = rest;
    else {
      const [, sample, labels = '', value] = SAMPLE.exec(line) ?? [];
      if (sample === undefined) throw new Error(`Not a sample: ${line}`);
      const base = sample.replace(/_(bucket|sum|count)$/, '');
      const family = families.get(sample) ?? families.get(base);
      if (family === undefined) throw new Error(`A sample without a family: ${line}`);
      family.samples.push({ name: sample, labels, value: Number(value) });
    }
  }
  return families;
}

for (const kind of drawnKinds(t)) {
  await t.test(`the exposition is well formed, and is what the document lists (${kind})`, async (t) => {
    const full = await startFullApp(t, kind);
    const { visitor: root } = await full.superadmin();
    await root.get('/api/health');
    await full.visitor('198.51.100.7').get('/no/such/page');
    const answer = await full.visitor().get('/metrics', { host: '127.0.0.1:8080' });
    t.equal(answer.status, 200);
    t.match(answer.headers['content-type'], /^text\/plain; version=0\.0\.4/);
    const families = parse(answer.text);
    for (const [name, { help, type, samples }] of families) {
      t.ok(help !== '' && type !== '', name);
      if (name.startsWith('headgate_') && type === 'counter') t.match(name, /_total$/, name);
      if (type === 'histogram') t.match(name, /_seconds$/, name);
      if (name.startsWith('headgate_') && type === 'gauge') t.ok(samples.length > 0, `${name} has a value`);
    }
    const own = [...families.keys()].filter((name) => name.startsWith('headgate_')).sort();
    const listed = [...readFileSync(DOCUMENT, 'utf8').matchAll(/^\| `(headgate_\w+)/gm)].map(
      ([, name]) => name,
    );
    t.same(own, listed.sort(), 'the page has a row for each, and for no other');
    for (const name of [
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
      'nodejs_heap_size_used_bytes',
    ])
      t.ok(families.has(name), name);
    const routes =
      families.get('headgate_http_request_duration_seconds')?.samples.map(({ labels }) => labels) ?? [];
    t.ok(routes.some((labels) => labels.includes('route="/api/health"') && labels.includes('status="2xx"')));
    t.ok(routes.some((labels) => labels.includes('route="other"')));
    t.notOk(
      routes.some((labels) => labels.includes('/no/such/page')),
      'no path of a visitor is a label',
    );
    t.notMatch(answer.text, /postgres:\/\//);
  });
}

t.test('from elsewhere it needs a credential, and a proxy on this machine is elsewhere', async (t) => {
  const full = await startFullApp(t);
  const { visitor: root } = await full.superadmin();
  const far = full.visitor('198.51.100.7');
  t.equal((await far.get('/metrics')).status, 401);
  const near = full.visitor();
  const host = 'localhost:8080';
  for (const name of [host, 'localhost', 'LOCALHOST', '127.0.0.1:8080', '127.1.2.3', '[::1]:8080'])
    t.equal((await near.get('/metrics', { host: name })).status, 200, name);
  for (const name of [
    'evil.test:8080',
    'headgate.test',
    'localhost.evil.test',
    '127.0.0.1.evil.test:8080',
    'x@localhost',
  ])
    t.equal((await near.get('/metrics', { host: name })).status, 401, `a name that leads here: "${name}"`);
  t.equal((await far.get('/metrics', { host })).status, 401);
  for (const header of ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'x-real-ip', 'via'])
    t.equal(
      (await near.send('GET', '/metrics', undefined, { host, [header]: '198.51.100.7' })).status,
      401,
      header,
    );
  const wrong = { authorization: 'Bearer svc_wrong' };
  t.equal(
    (await near.send('GET', '/metrics', undefined, { host, ...wrong })).status,
    401,
    'a wrong key is no key',
  );
  const made = await root.post<{ token: string }>('/api/api-keys', { name: 'k', scopes: ['metrics:read'] });
  t.equal((await full.withToken(made.body.token).get('/metrics')).status, 200);
  const narrow = await root.post<{ token: string }>('/api/api-keys', { name: 'n', scopes: ['runs:read'] });
  t.equal((await full.withToken(narrow.body.token).get('/metrics')).status, 403);
});

t.test('memory is shown with its limits, and the settings bound it', async (t) => {
  const settings = { SVC_SQLITE_CACHE_MB: '3', SVC_WORKER_THREADS: '2', SVC_WORKER_MAX_HEAP_MB: '64' };
  const full = await startFullApp(t, 'sqlite', settings);
  await full.plane.pool.ready();
  const { text } = await full.visitor().get('/metrics', { host: 'localhost' });
  const lines = text.split('\n').filter((line) => line.includes('headgate_memory'));
  const families = parse(lines.join('\n'));
  const parts = (name: string): Record<string, number> => {
    const samples = families.get(name)?.samples ?? [];
    return Object.fromEntries(samples.map(({ labels, value }) => [/"(\w+)"/.exec(labels)?.[1], value / MB]));
  };
  const [used, limits] = [parts('headgate_memory_bytes'), parts('headgate_memory_limit_bytes')];
  t.match(limits, { sqlite_cache: 15, worker_host: 576, worker_host_drafts: 576 });
  for (const part of [
    'control_plane',
    'control_plane_heap',
    'control_plane_young',
    'control_plane_native',
    'worker_host',
  ])
    t.ok((used[part] ?? 0) > 5, `${part}: ${used[part]}`);
  t.ok((used['control_plane_heap'] ?? 0) < (limits['control_plane_heap'] ?? 0));
  t.ok((used['sqlite_cache'] ?? 0) > 0 && (used['sqlite_cache'] ?? 0) <= 15);
  t.equal(used['worker_host_drafts'], 0, 'nobody has tried anything out');
  const { read, logs } = full.plane.store;
  for (const db of [read, logs as unknown as typeof read]) {
    const { rows } = await sql<{ cache_size: number }>`pragma cache_size`.execute(db);
    t.equal(rows[0]?.cache_size, -3 * 1_024);
  }
});

t.test('labels are bounded, readings that fail are left out, counters only grow', async (t) => {
  const meter = new PrometheusMeter({ seriesMax: 10, clock: systemClock });
  for (let route = 0; route < 1_000; route++) meter.observeRequest('GET', `/r/${route}`, 200, 0.1);
  meter.count('log_lines', 5);
  meter.count('log_lines', -3);
  meter.count('log_lines', 0);
  meter.observe('claim_latency', Number.NaN);
  meter.observe('claim_latency', 0.02);
  let broken = false;
  const read = async () => {
    if (broken) throw new Error('the store is away');
    return { '': 7 };
  };
  meter.gauge({ name: 'headgate_x', help: 'X.', label: null, read });
  const first = parse(await meter.text());
  const routes = new Set(
    first
      .get('headgate_http_request_duration_seconds')
      ?.samples.map(({ labels }) => /route="[^"]+"/.exec(labels)?.[0]),
  );
  t.equal(routes.size, 401);
  t.equal(first.get('headgate_log_lines_total')?.samples[0]?.value, 5);
  t.equal(
    first.get('headgate_claim_latency_seconds')?.samples.find(({ name }) => name.endsWith('_count'))?.value,
    1,
  );
  t.equal(first.get('headgate_x')?.samples[0]?.value, 7);
  broken = true;
  t.same(parse(await meter.text()).get('headgate_x')?.samples, []);
});

t.test('runs are counted by whose they are, and further ones together', async (t) => {
  let now = 0;
  const meter = new PrometheusMeter({ seriesMax: 2, clock: { now: () => now } });
  const end = (job: string, status: RunEndStatus = 'success', seconds: number | null = 2) =>
    meter.runs.ended({
      status,
      job,
      template: 't',
      task: 'load',
      seconds,
      rows: { in: 5, out: 4, failed: 1 },
    });
  end('a');
  end('a', 'error');
  end('b');
  end('c');
  end('d', 'cancelled', null);
  const counts = async (name: string) => {
    const samples = parse(await meter.text()).get(name)?.samples ?? [];
    return Object.fromEntries(samples.map(({ labels, value }) => [labels, value]));
  };
  const labels = (first: string, job: string, template = 't', task = 'load') =>
    `{${first},job="${job}",template="${template}",task="${task}"}`;
  t.same(await counts('headgate_runs_completed_total'), {
    [labels('status="success"', 'a')]: 1,
    [labels('status="error"', 'a')]: 1,
    [labels('status="success"', 'b')]: 1,
    [labels('status="success"', 'other', 'other', 'other')]: 1,
    [labels('status="cancelled"', 'other', 'other', 'other')]: 1,
  });
  t.match(await counts('headgate_run_rows_total'), {
    [labels('flow="in"', 'a')]: 10,
    [labels('flow="failed"', 'a')]: 2,
  });
  const durations = parse(await meter.text()).get('headgate_run_duration_seconds')?.samples ?? [];
  const total = durations
    .filter(({ name }) => name.endsWith('_count'))
    .reduce((sum, { value }) => sum + value, 0);
  t.equal(total, 4, 'one that never started has no duration');

  now += 86_400_000;
  end('b');
  end('c');
  const later = await counts('headgate_runs_completed_total');
  t.notOk(
    Object.keys(later).some((found) => found.includes('job="a"')),
    'silent for a day, it makes room',
  );
  t.equal(later[labels('status="success"', 'c')], 1);
  t.equal(later[labels('status="success"', 'b')], 2);
});
