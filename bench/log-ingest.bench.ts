/**
 * Log lines of 16 executors over gRPC, in batches of 100, each acknowledged after its commit (SQLite, `synchronous=FULL`); limit:
 * the same rows by a bare multi-row insert. The executors have a process of their own on the same machine.
 */
import { fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startControlPlane } from '../src/app.ts';
import { systemClock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/logger.ts';
import { loadConfig } from '../src/config.ts';
import type { Lease, LogLine } from '../src/protocol/control-plane.ts';
import { measure, secondsOf } from './support/figure.ts';
import type { LogLoad } from './support/log-load.ts';
import { workFolder } from './support/work-folder.ts';

const executors = 16;
const batches = 300;
const linesPerBatch = 100;
const total = executors * batches * linesPerBatch;
const rowsPerCommit = 25_600;
const rowsPerInsert = 50;

const lines: LogLine[] = Array.from({ length: linesPerBatch }, (_, index) => ({
  at: 1_700_000_000_000 + index,
  level: 'info',
  step_id: 'write',
  message: `wrote batch ${index} of contacts: 1000 rows in ${10 + (index % 7)} ms`,
  fields: null,
}));

const folder = workFolder();
const loaded = loadConfig({
  SVC_STATE_PATH: join(folder, 'state.db'),
  SVC_METRICS_PATH: join(folder, 'metrics.db'),
  SVC_HTTP_PORT: '0',
  SVC_EXECUTOR_EMBEDDED: 'false',
});
if (!loaded.ok) throw new Error(loaded.problems.map((problem) => problem.message).join('; '));
const app = await startControlPlane({
  config: loaded.config,
  clock: systemClock,
  logger: silentLogger,
  version: '0.0.0',
});

/** New runs, each leased to one executor. */
function leaseRuns(): Promise<Lease[]> {
  const now = Date.now();
  return app.store.write(async (tx) => {
    const leases: Lease[] = [];
    for (let index = 0; index < executors; index++) {
      const token = `token-${index}`;
      const text = { args_json: '{}', config_json: '{}', connectors_json: '{}', labels_json: '{}' };
      const counts = { rows_in: 0, rows_out: 0, rows_failed: 0, rows_skipped: 0, timeout_ms: 0 };
      const { id } = await tx
        .insertInto('runs')
        .values({
          ...text,
          ...counts,
          priority: 0,
          cancel_requested: 0,
          task_name: 'bench',
          task_version: 1,
          yaml_content: '',
          status: 'running',
          reason: 'manual',
          attempt: 1,
          max_attempts: 1,
          retry_json: '{}',
          epoch: 1,
          lease_token: token,
          lease_expires_at: now + 3_600_000,
          acknowledged: 1,
          connector_types: ',',
          created_at: now,
          available_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx
        .insertInto('run_attempts')
        .values({ run_id: id, attempt: 1, epoch: 1, lease_token: token, executor_id: 1, started_at: now })
        .execute();
      leases.push({ run_id: id, attempt: 1, epoch: 1, token });
    }
    return leases;
  });
}

async function product(): Promise<number> {
  const load: LogLoad = {
    address: app.grpcAddress,
    key: app.embeddedKey,
    leases: await leaseRuns(),
    batches,
    lines,
  };
  const child = fork(join(import.meta.dirname, 'support/log-load.ts'));
  const answer = new Promise<number>((resolve, reject) => {
    child.on('message', (message) => resolve((message as { seconds: number }).seconds));
    child.on('exit', (code) => reject(new Error(`The executors ended with ${code}`)));
  });
  child.send(load);
  return total / (await answer);
}

async function limit(): Promise<number> {
  const path = join(folder, 'bare.db');
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = wal; PRAGMA synchronous = full;
    CREATE TABLE run_logs (run_id bigint NOT NULL, attempt integer NOT NULL, seq bigint NOT NULL, at bigint NOT NULL,
      level smallint NOT NULL, step_id text NOT NULL, message text NOT NULL, fields_json text,
      PRIMARY KEY (run_id, attempt, seq)) WITHOUT ROWID`);
  const groups = Array(rowsPerInsert).fill('(?, 1, ?, ?, 2, ?, ?, NULL)').join(', ');
  const insert = database.prepare(`INSERT INTO run_logs VALUES ${groups}`);
  const seconds = await secondsOf(() => {
    for (let row = 0; row < total; row += rowsPerInsert) {
      if (row % rowsPerCommit === 0) database.exec(row === 0 ? 'BEGIN' : 'COMMIT; BEGIN');
      const values: (string | number)[] = [];
      for (let at = row; at < row + rowsPerInsert; at++) {
        const line = lines[at % linesPerBatch] as LogLine;
        values.push(Math.floor(at / (batches * linesPerBatch)), at, line.at, line.step_id, line.message);
      }
      insert.run(...values);
    }
    database.exec('COMMIT');
  });
  database.close();
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  return total / seconds;
}

try {
  await measure({ name: 'log-ingest-grpc-sqlite', unit: 'lines/s', product, limit });
} finally {
  await app.stop();
}
