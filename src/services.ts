import type { Cipher } from './base/cipher.ts';
import type { Clock } from './base/clock.ts';
import type { Logger } from './base/logger.ts';
import type { Config } from './config.ts';
import { createDrivers } from './drivers/registry.ts';
import { createAuth } from './modules/auth/auth-service.ts';
import { deleteSession, deleteSessionsOf, selectSessionsOf } from './modules/auth/auth-store.ts';
import { createFailureLimit } from './modules/auth/failure-limit.ts';
import { createPasswords } from './modules/auth/password.ts';
import { createConnectorCalls } from './modules/connectors/connector-calls.ts';
import { createConnectors } from './modules/connectors/connector-service.ts';
import type { ParseDashboard } from './modules/dashboard-templates/dashboard-template.ts';
import { createDashboardTemplates } from './modules/dashboard-templates/dashboard-template-service.ts';
import { createDashboards } from './modules/dashboards/dashboard-service.ts';
import { createWidgetBatch } from './modules/dashboards/widget-batch.ts';
import { Intake } from './modules/executor-callbacks/intake.ts';
import { createExecutors } from './modules/executors/executor-service.ts';
import { LeaseSweeper } from './modules/executors/lease-sweeper.ts';
import { createJobRuns } from './modules/job-runs/job-run-service.ts';
import { createJobTemplates, type ParseTemplate } from './modules/job-templates/job-template-service.ts';
import { createJobConfigs } from './modules/jobs/job-config-service.ts';
import { createJobs } from './modules/jobs/job-service.ts';
import { MetricsBackends } from './modules/metrics/metrics-backends.ts';
import { createMetricsConfigs } from './modules/metrics/metrics-config-service.ts';
import { createMetrics } from './modules/metrics/metrics-service.ts';
import { createPublicBatch } from './modules/public-dashboards/public-batch.ts';
import { createRunLogWriter } from './modules/runs/run-log-writer.ts';
import { createRunNews } from './modules/runs/run-news.ts';
import { createRuns } from './modules/runs/run-service.ts';
import { createTasks, type ParseTask } from './modules/tasks/task-service.ts';
import { Ticker } from './modules/triggers/ticker.ts';
import { createTriggers } from './modules/triggers/trigger-service.ts';
import { createAccount } from './modules/users/account-service.ts';
import { createUsers } from './modules/users/user-service.ts';
import type { Store } from './store/store.ts';
import type { PreviewTaskInput } from './threads/messages.ts';
import type { WorkerPool } from './threads/pool.ts';

export interface ServicesDeps {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly cipher: Cipher;
  readonly pool: WorkerPool;
}

export type Services = ReturnType<typeof createServices>;

/** Every module's service, each given the narrowest thing that it needs. Opens nothing and starts nothing but the log's writer. */
export function createServices(deps: ServicesDeps) {
  const definitions = createDefinitions(deps);
  const execution = createExecution(deps, definitions);
  return { ...definitions, ...execution };
}

function createDefinitions({ config, store, clock, logger, cipher, pool }: ServicesDeps) {
  const parseTask: ParseTask = (yaml) => pool.run({ kind: 'parse_task', input: { yaml } });
  const parseTemplate: ParseTemplate = (yaml) => pool.run({ kind: 'parse_template', input: { yaml } });
  const parseDashboard: ParseDashboard = (yaml, vars) =>
    pool.run({ kind: 'parse_dashboard', input: { yaml, vars: vars === null ? null : { ...vars } } });
  const drivers = createDrivers();
  const passwords = createPasswords();
  const limit = createFailureLimit(store);
  const auth = createAuth({ store, clock, cipher, config, passwords, limit });
  const connectors = createConnectors({ store, clock, cipher, drivers });
  const dashboards = createDashboards({ store, clock, cipher, parseDashboard });
  const batch = createWidgetBatch({
    db: store.read,
    logger,
    connectorRefs: (mapping) => connectors.connectorRefs(store.read, mapping),
    pool: {
      widget: (input, options) => pool.run({ kind: 'widget', input }, options),
      sharedQuery: (input, options) => pool.run({ kind: 'shared_query', input }, options),
    },
  });
  return {
    parseTask,
    parseTemplate,
    parseDashboard,
    drivers,
    passwords,
    auth,
    users: createUsers({ store, clock, hashPassword: passwords.hash, deleteSessionsOf }),
    account: createAccount({
      store,
      clock,
      passwords,
      limit,
      sessions: { listOf: selectSessionsOf, delete: deleteSession, deleteAllOf: deleteSessionsOf },
    }),
    connectors,
    connectorCalls: createConnectorCalls({ connectors, pool }),
    preview: (input: PreviewTaskInput, options: { readonly timeoutMs: number }) =>
      pool.run({ kind: 'preview', input }, options),
    tasks: createTasks({ store, clock, parseTask }),
    jobTemplates: createJobTemplates({ store, clock, parseTemplate }),
    dashboardTemplates: createDashboardTemplates({ store, clock, parseDashboard }),
    dashboards,
    batch,
    publicBatch: createPublicBatch(batch, clock),
    jobs: createJobs({ store, clock, prepareDashboards: dashboards.prepare }),
    jobConfigs: createJobConfigs({
      store,
      clock,
      validateJobConfig: (templateYaml, values, key, all = {}) =>
        pool.run({
          kind: 'validate_job_config',
          input: key === undefined ? { templateYaml, values } : { templateYaml, values, key, all },
        }),
    }),
  };
}

function createExecution(
  { config, store, clock, logger }: ServicesDeps,
  { connectors }: ReturnType<typeof createDefinitions>,
) {
  const news = createRunNews(store);
  const place = { path: config.metrics.path, reserved: store.files };
  const metricsBackends = new MetricsBackends({ store, clock, logger, place });
  const metrics = createMetrics({ store, clock, logger, backends: metricsBackends });
  const metricsConfigs = createMetricsConfigs({
    store,
    clock,
    probe: (settings) => metricsBackends.probe(settings),
  });
  const wakeQueue = () => store.notify('work');
  const jobRuns = createJobRuns({ store, clock, wakeQueue });
  const logs = createRunLogWriter(store, clock);
  const executors = createExecutors({ store, wakeQueue });
  const { onRunFinished, onRunStarted } = jobRuns;
  const intake = new Intake({
    store,
    clock,
    random: Math.random,
    executors,
    logs,
    onRunFinished,
    onRunStarted,
    connectorSpecs: connectors.connectorSpecs,
    metricsBackends: metrics.injected,
    storeMetrics: metrics.storeBatch,
    published: news.publish,
  });
  const sendCancel = intake.sendCancel.bind(intake);
  const forget = async (runId: number) => {
    await Promise.all([logs.forget(runId), metrics.forgetRun(runId)]);
  };
  const runs = createRuns({ store, clock, onRunFinished, sendCancel, published: news.publish, forget });
  const sweeper = new LeaseSweeper({
    store,
    clock,
    logger,
    onRunFinished,
    wakeQueue,
    published: news.publish,
  });
  const startJobRun = jobRuns.startInside;
  return {
    place,
    metrics,
    metricsBackends,
    metricsConfigs,
    triggers: createTriggers({ store, clock, startJobRun, wakeQueue }),
    ticker: new Ticker({ store, clock, logger, startJobRun, wakeQueue }),
    news,
    wakeQueue,
    jobRuns,
    logs,
    executors,
    intake,
    sendCancel,
    forget,
    runs,
    sweeper,
  };
}
