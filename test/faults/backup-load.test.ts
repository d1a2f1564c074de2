import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { silentLogger } from '../../src/base/logger.ts';
import { openStore, type StateSettings } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { createApiClient } from '../support/api-client.ts';
import { CrashServer } from '../support/crash-server.ts';
import { ofFullList } from '../support/fault-list.ts';
import { makeLoadJob } from '../support/load-jobs.ts';
import { createDatabase } from '../support/postgres.ts';
import { runCli } from '../support/run-cli.ts';
import { serve, until } from '../support/served.ts';
import type { StoreKind } from '../support/stores.ts';

const ENDED = ['success', 'warning', 'error', 'cancelled', 'skipped'];
/** Milliseconds between two starts before the backup: no more than two slots can do soon. */
const EVERY_MS = 400;
/** While it is made, which may take no more than a tenth of a second. */
const MEANWHILE_EVERY_MS = 30;
const LOOK_EVERY_MS = 500;
const RUNS_BEFORE = 8;
const KEY = '7c1e5a90d3b84f62a1c97e0b35d8f246';

/** What may not differ of runs that had ended, with their steps, history and log lines. */
async function endedRuns(store: Store, ids: readonly number[] | null) {
  let query = store.read.selectFrom('runs').selectAll().where('status', 'in', ENDED).orderBy('id');
  if (ids !== null) query = query.where('id', 'in', [...ids]);
  const runs = await query.execute();
  // An empty list is no SQL.
  const wanted = [0, ...runs.map(({ id }) => id)];
  const steps = await store.read.selectFrom('run_steps').selectAll().where('run_id', 'in', wanted).execute();
  const history = await store.read
    .selectFrom('run_status_history')
    .selectAll()
    .where('run_id', 'in', wanted)
    .execute();
  const lines = await store.logs.selectFrom('run_logs').selectAll().where('run_id', 'in', wanted).execute();
  const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();
  return {
    runs: sorted(runs),
    steps: sorted(steps),
    history: sorted(history),
    lines: sorted(lines),
    ids: runs.map(({ id }) => id),
  };
}

async function countOf(store: Store, table: 'runs' | 'job_runs'): Promise<number> {
  const { count } = await store.read
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function countEnded(store: Store): Promise<number> {
  const ended = store.read.selectFrom('runs').select('id').where('status', 'in', ENDED);
  return (await ended.execute()).length;
}

async function places(t: Test, kind: StoreKind) {
  if (kind === 'sqlite') return { settings: {}, target: null };
  return {
    settings: { SVC_STATE_URL: (await createDatabase(t)).url, SVC_STATE_PATH: '' },
    target: (await createDatabase(t)).url,
  };
}

async function survive(t: Test, kind: StoreKind): Promise<void> {
  const { settings, target } = await places(t, kind);
  const served = await serve(t, {
    SVC_ENCRYPTION_KEY: KEY,
    SVC_RATE_LIMIT_PER_MINUTE: '1000000',
    ...settings,
  });
  const folder = dirname(served.folder);
  const source = { SVC_ENCRYPTION_KEY: KEY, SVC_STATE_PATH: join(folder, 'state.db'), ...settings };
  const metrics = { SVC_METRICS_PATH: join(folder, 'metrics.db') };
  const open = (place: StateSettings) => openStore(place, silentLogger);
  const job = await makeLoadJob(served.api);
  const connector = {
    name: 'db',
    type: 'postgres',
    config: { host: 'db', database: 'a', user: 'b', password: 'seCret-9' },
  };
  await served.api.post('/api/connectors', connector);

  let going = true;
  const load = async (everyMs: number) => {
    for (; going; await delay(everyMs)) await served.api.post(`/api/jobs/${job.jobId}/runs`);
  };
  const loads = [load(EVERY_MS)];
  // A failure elsewhere stops the server under them.
  const untilStopped = () => Promise.all(loads);
  untilStopped().catch(() => undefined);
  const from: StateSettings =
    target === null
      ? { kind: 'localdb', path: source.SVC_STATE_PATH }
      : { kind: 'serverdb', url: String(settings.SVC_STATE_URL), poolMax: 2 };
  const live = await open(from);
  t.teardown(() => live.close());
  await until(
    'some runs have ended',
    60_000,
    async () => (await countEnded(live)) > RUNS_BEFORE,
    LOOK_EVERY_MS,
  );
  const before = await countOf(live, 'runs');
  const backup = join(folder, 'x.backup');
  loads.push(load(MEANWHILE_EVERY_MS));
  untilStopped().catch(() => undefined);
  const made = await runCli(['backup', backup, '--json'], { env: { ...source, ...metrics }, cwd: folder });
  t.equal(made.code, 0, made.stderr);
  const after = await countOf(live, 'runs');
  going = false;
  await untilStopped();
  t.ok(after > before, `runs were started meanwhile: ${before} before, ${after} after`);

  const there = join(folder, 'there');
  mkdirSync(there);
  const place = target === null ? { SVC_STATE_PATH: join(there, 'state.db') } : { SVC_STATE_URL: target };
  const env = { ...place, SVC_METRICS_PATH: join(there, 'metrics.db'), SVC_ENCRYPTION_KEY: KEY };
  const wrong = await runCli(['restore', backup], {
    env: { ...env, SVC_ENCRYPTION_KEY: `${KEY}0` },
    cwd: there,
  });
  t.match(wrong, { code: 78, stderr: /The master key here is/ });
  const restored = await runCli(['restore', backup], { env, cwd: there });
  t.equal(restored.code, 0, restored.stderr);

  const to: StateSettings =
    target === null
      ? { kind: 'localdb', path: join(there, 'state.db') }
      : { kind: 'serverdb', url: target, poolMax: 2 };
  const copy = await open(to);
  const runs = await countOf(copy, 'runs');
  t.ok(runs >= before && runs <= after, `${runs} runs in the backup`);
  const ended = await endedRuns(copy, null);
  t.same(ended, await endedRuns(live, ended.ids), 'what had ended is the same');
  await copy.close();

  const server = await CrashServer.prepare(t, there, { ...env, SVC_EXECUTOR_EMBEDDED: 'true' });
  await server.mustStart();
  const api = createApiClient({ baseUrl: server.url, key: served.apiKey });
  const haveEnded = async () => {
    const { result } = await api.get<{ result: readonly { status: string }[] }>('/api/job-runs?limit=200');
    return result.every(({ status }) => ENDED.includes(status));
  };
  await until('every run of the backup ends', 120_000, haveEnded, LOOK_EVERY_MS);
}

t.setTimeout(400_000);

for (const kind of ['sqlite', 'postgres'] as const)
  t.test(`a backup that is made under load is restored and goes on (${kind})`, ofFullList, (t) =>
    survive(t, kind),
  );
