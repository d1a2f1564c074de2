/**
 * Metric points of 8 executors over gRPC, in batches of 500, each acknowledged after its commit in the `localdb` backend (SQLite,
 * `synchronous=FULL`, results of runs made anew with them); limit: the same rows by a bare multi-row insert. Then the event loop's
 * delay of the control plane at 50,000 points/s (limit: 15 ms), and what one point costs on its way to StatsD.
 */

import { fork } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { startControlPlane } from '../src/app/app.ts';
import { systemClock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/logger.ts';
import { createOutbound } from '../src/base/outbound/outbound.ts';
import { outboundRules } from '../src/base/outbound/outbound-policy.ts';
import { eachFigure, type Metric, ROW_COUNTS } from '../src/base/run-report.ts';
import { loadConfig } from '../src/config.ts';
import { METRICS_CONFIGS } from '../src/metering/backend-config.ts';
import { openStatsd } from '../src/metering/statsd.ts';
import type { Lease } from '../src/protocol/control-plane.ts';
import { measure, secondsOf } from './support/figure.ts';
import type { MetricLoad } from './support/metric-load.ts';
import { workFolder } from './support/work-folder.ts';

const executors = 8;
const batches = 100;
const perBatch = 500;
const total = executors * batches * perBatch;
const rowsPerCommit = 20_000;
const rowsPerInsert = 50;
const halfLoad = 50_000;

/** As the engine reports them: gauges of a long run, and the end of a step in each batch. */
const metrics: Metric[] = Array.from({ length: perBatch }, (_, index) => {
  const tags = { task: 'orders', step: `step_${index % 10}`, kind: 'load' };
  const name = index < 5 ? 'step.rows_in' : 'step.rows_in_so_far';
  const kind = index < 5 ? 'counter' : 'gauge';
  return { name, kind, value: index * 1.5, tags, at: 1_700_000_000_000 + index };
});

const folder = workFolder();
const loaded = loadConfig({
  SVC_STATE_PATH: join(folder, 'state.db'),
  SVC_METRICS_PATH: join(folder, 'metrics.db'),
  SVC_HTTP_PORT: '0',
  SVC_EXECUTOR_EMBEDDED: 'false',
  SVC_EXECUTOR_KEY: 'd0a1b2c3e4f5968778695a4b3c2d1e0f',
});
if (!loaded.ok) throw new Error(loaded.problems.map((problem) => problem.message).join('; '));
const { config } = loaded;
const app = await startControlPlane({ config, clock: systemClock, logger: silentLogger, version: '0.0.0' });
const delay = monitorEventLoopDelay({ resolution: 1 });

/** New runs, each leased to one executor. */
function leaseRuns(): Promise<Lease[]> {
  const now = Date.now();
  return app.store.write(async (tx) => {
    const leases: Lease[] = [];
    for (let index = 0; index < executors; index++) {
      const token = `token-${index}`;
      const json = { args_json: '{}', config_json: '{}', connectors_json: '{}', labels_json: '{}' };
      const counts = {
        ...eachFigure(ROW_COUNTS, () => 0),
        timeout_ms: 0,
        priority: 0,
      };
      const task = { task_name: 'orders', task_version: 1, yaml_content: '', status: 'running' };
      const lease = { attempt: 1, epoch: 1, lease_token: token, lease_expires_at: now + 3_600_000 };
      const rest = { reason: 'manual', max_attempts: 1, retry_json: '{}', connector_types: ',' };
      const { id } = await tx
        .insertInto('runs')
        .values({
          ...{ ...json, ...counts, ...task, ...lease, ...rest },
          ...{ cancel_requested: 0, acknowledged: 1, created_at: now, available_at: now },
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      leases.push({ run_id: id, attempt: 1, epoch: 1, token });
    }
    return leases;
  });
}

async function load(options: Pick<MetricLoad, 'batches' | 'batchesPerSecond'>): Promise<number> {
  const child = fork(join(import.meta.dirname, 'support/metric-load.ts'));
  const answer = new Promise<number>((resolve, reject) => {
    child.on('message', (message) => resolve((message as { seconds: number }).seconds));
    child.on('exit', (code) => reject(new Error(`The executors ended with ${code}`)));
  });
  const what = {
    address: app.grpcAddress,
    key: config.executor.key ?? '',
    leases: await leaseRuns(),
    metrics,
  };
  child.send({ ...what, firstBatch: 1, ...options } satisfies MetricLoad);
  return answer;
}

async function limit(): Promise<number> {
  const path = join(folder, 'bare.db');
  const database = new DatabaseSync(path);
  database.exec(`pragma journal_mode = wal; pragma synchronous = full;
    create table points (run_id integer not null, attempt integer not null, batch_seq integer not null, idx integer not null,
      at integer not null, name text not null, kind text not null, value real not null, subject text not null,
      tags_json text not null, primary key (run_id, attempt, batch_seq, idx)) without rowid`);
  const groups = Array(rowsPerInsert).fill('(?, 1, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ');
  const insert = database.prepare(`insert into points values ${groups}`);
  const seconds = await secondsOf(() => {
    for (let row = 0; row < total; row += rowsPerInsert) {
      if (row % rowsPerCommit === 0) database.exec(row === 0 ? 'begin' : 'commit; begin');
      const values: (string | number)[] = [];
      for (let at = row; at < row + rowsPerInsert; at++) {
        const { at: time, name, kind, value, tags } = metrics[at % perBatch] as Metric;
        const [run, batch] = [Math.floor(at / (batches * perBatch)), Math.floor(at / perBatch)];
        values.push(
          run,
          batch,
          at % perBatch,
          time,
          name,
          kind,
          value,
          tags['step'] ?? '',
          JSON.stringify(tags),
        );
      }
      insert.run(...values);
    }
    database.exec('commit');
  });
  database.close();
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  return total / seconds;
}

/** Milliseconds that the event loop was late, in all but one in a hundred cases, at half the load. */
async function delayP99(): Promise<number> {
  const perSecond = halfLoad / perBatch / executors;
  delay.reset();
  delay.enable();
  await load({ batches: Math.round(perSecond * 4), batchesPerSecond: perSecond });
  delay.disable();
  return delay.percentile(99) / 1e6;
}

/** Microseconds of the caller's thread for one point, sent to a socket that nobody reads fast. */
async function statsdCost(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const outbound = createOutbound({
    rules: outboundRules({ policy: 'block-metadata', allow: ['127.0.0.1'] }, []),
  });
  const settings = METRICS_CONFIGS.statsd.parse({ port: socket.address().port });
  const backend = openStatsd(settings, { clock: systemClock, logger: silentLogger, outbound });
  const about = { run_id: 1, attempt: 1, task_id: 1, task_name: 'orders' };
  let points = 0;
  const seconds = await secondsOf(async () => {
    for (let batch_seq = 1; batch_seq <= 100; batch_seq++) {
      await backend.write(metrics.map((metric, index) => ({ ...about, batch_seq, index, ...metric })));
      points += metrics.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  await backend.close();
  socket.close();
  return (seconds * 1e6) / points;
}

try {
  const product = async () => total / (await load({ batches }));
  await measure({ name: 'metrics-ingest-grpc-localdb', unit: 'points/s', product, limit });
  await measure({
    name: 'metrics-ingest-loop-delay-p99',
    unit: 'ms',
    product: delayP99,
    limit: async () => 15,
  });
  await measure({ name: 'metrics-statsd-cost', unit: 'us/point', product: statsdCost, limit: null });
} finally {
  await app.stop();
}
