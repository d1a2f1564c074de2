import { fork } from 'node:child_process';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type ControlPlaneApp, startControlPlane } from '../../src/app/app.ts';
import { masterKeysOf, openCipher } from '../../src/app/keys/server-keys.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { eachFigure, LOG_LEVELS, ROW_COUNTS } from '../../src/base/run-report.ts';
import { loadConfig } from '../../src/config.ts';
import { createConnectors } from '../../src/modules/connectors/connector-service.ts';
import type { Lease, LogLine } from '../../src/protocol/control-plane.ts';
import { allDrivers } from '../../test/support/all-drivers.ts';
import type { LogLoad, LogLoadAnswer } from './log-load.ts';

export const executors = 16;

/** Lines as tasks write them. */
export function sampleLines(count: number): LogLine[] {
  return Array.from({ length: count }, (_, index) => ({
    at: 1_700_000_000_000 + index,
    level: LOG_LEVELS.info,
    step_id: 'write',
    message: `wrote batch ${index} of contacts: 1000 rows in ${10 + (index % 7)} ms`,
    fields_json: '',
  }));
}

/** A control plane in this process whose runs have two connectors with secrets, for executors in a process of their own. */
export interface LogPlane {
  readonly app: ControlPlaneApp;
  /** The executors send `batches` batches of `lines` each, as new runs. */
  load(options: Pick<LogLoad, 'batches' | 'lines' | 'binding'> & Partial<LogLoad>): Promise<LogLoadAnswer>;
  /** Longest of the event loop's delays but one in a hundred, of all loads together. */
  loopDelayP99Ms(): number;
  stop(): Promise<void>;
}

export async function startLogPlane(folder: string, settings: Record<string, string>): Promise<LogPlane> {
  const loaded = loadConfig({
    SVC_METRICS_PATH: join(folder, 'metrics.db'),
    SVC_HTTP_PORT: '0',
    SVC_EXECUTOR_EMBEDDED: 'false',
    SVC_EXECUTOR_KEY: 'd0a1b2c3e4f5968778695a4b3c2d1e0f',
    SVC_ENCRYPTION_KEY: 'a1b2c3d4e5f60718293a4b5c6d7e8f90',
    SVC_RATE_LIMIT_PER_MINUTE: '10000000',
    ...settings,
  });
  if (!loaded.ok) throw new Error(loaded.problems.map((problem) => problem.message).join('; '));
  const { config } = loaded;
  const app = await startControlPlane({
    config,
    clock: systemClock,
    logger: silentLogger,
    version: '0.0.0',
  });
  const cipher = await openCipher(app.store, masterKeysOf(config), Date.now());
  const connectors = createConnectors({
    store: app.store,
    clock: systemClock,
    cipher,
    drivers: allDrivers,
  });
  const actor = { type: 'user', id: 1, name: 'bench', address: null, requestId: null } as const;
  const ids: number[] = [];
  for (const name of ['crm', 'warehouse']) {
    const made = {
      name,
      type: 'postgres',
      config: { url: `postgres://bench:4dZ!${name}-77uQ@db.example.com/app` },
    };
    ids.push((await connectors.create(made, actor)).id);
  }
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  return {
    app,
    loopDelayP99Ms: () => histogram.percentile(99) / 1e6,
    async load(options) {
      const leases = await leaseRuns(app, { crm: ids[0] ?? 0, warehouse: ids[1] ?? 0 });
      histogram.enable();
      const answer = await sendFrom({
        address: app.grpcAddress,
        url: app.httpAddress,
        key: config.executor.key ?? '',
        leases,
        ...options,
      });
      histogram.disable();
      return answer;
    },
    stop: () => app.stop(),
  };
}

function sendFrom(load: LogLoad): Promise<LogLoadAnswer> {
  const child = fork(join(import.meta.dirname, 'log-load.ts'));
  return new Promise((resolve, reject) => {
    child.on('message', (message) => resolve(message as LogLoadAnswer));
    child.on('exit', (code) => reject(new Error(`The executors ended with ${code}`)));
    child.send(load);
  });
}

/** New runs, each leased to one executor. */
function leaseRuns({ store }: ControlPlaneApp, connectors: Record<string, number>): Promise<Lease[]> {
  const now = Date.now();
  return store.write(async (tx) => {
    const leases: Lease[] = [];
    for (let index = 0; index < executors; index++) {
      const token = `token-${index}`;
      const text = {
        args_json: '{}',
        config_json: '{}',
        labels_json: '{}',
        retry_json: '{}',
        yaml_content: '',
      };
      const counts = {
        ...eachFigure(ROW_COUNTS, () => 0),
        timeout_ms: 0,
        priority: 0,
      };
      const { id } = await tx
        .insertInto('runs')
        .values({
          ...text,
          ...counts,
          connectors_json: JSON.stringify(connectors),
          cancel_requested: 0,
          task_name: 'bench',
          task_version: 1,
          status: 'running',
          reason: 'manual',
          attempt: 1,
          max_attempts: 1,
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
      const attempt = {
        run_id: id,
        attempt: 1,
        epoch: 1,
        lease_token: token,
        executor_id: 1,
        started_at: now,
      };
      await tx.insertInto('run_attempts').values(attempt).execute();
      leases.push({ run_id: id, attempt: 1, epoch: 1, token });
    }
    return leases;
  });
}
