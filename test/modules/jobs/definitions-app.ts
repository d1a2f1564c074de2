import type { FastifyInstance } from 'fastify';
import type { Test } from 'tap';
import { createParsers } from '../../../src/app/services/parsers.ts';
import { createSharingServices } from '../../../src/app/services/platform.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { installIdempotency } from '../../../src/http/idempotency.ts';
import type { Dashboard } from '../../../src/language/dashboard/parse-dashboard.ts';
import { createPasswords } from '../../../src/modules/auth/password.ts';
import { DEFAULT_BRANDING } from '../../../src/modules/branding/branding.ts';
import { registerConnectorRoutes } from '../../../src/modules/connectors/connector-routes.ts';
import { createConnectors } from '../../../src/modules/connectors/connector-service.ts';
import type { ParseDashboard } from '../../../src/modules/dashboard-templates/dashboard-template.ts';
import { registerDashboardTemplateRoutes } from '../../../src/modules/dashboard-templates/dashboard-template-routes.ts';
import { createDashboardTemplates } from '../../../src/modules/dashboard-templates/dashboard-template-service.ts';
import { type BatchLimits, WidgetBatch } from '../../../src/modules/dashboard-widgets/batch/widget-batch.ts';
import { DashboardDocuments } from '../../../src/modules/dashboard-widgets/dashboard-documents.ts';
import { registerDashboardWidgetRoutes } from '../../../src/modules/dashboard-widgets/dashboard-widget-routes.ts';
import { registerDraftDashboardRoutes } from '../../../src/modules/dashboard-widgets/draft-dashboard-routes.ts';
import { registerWidgetDataRoutes } from '../../../src/modules/dashboard-widgets/widget-data-routes.ts';
import { createWidgetService } from '../../../src/modules/dashboard-widgets/widget-service.ts';
import type { ConnectorRefs } from '../../../src/modules/dashboard-widgets/widget-source.ts';
import type { WidgetLimits } from '../../../src/modules/dashboard-widgets/widget-viewer.ts';
import { DashboardPush } from '../../../src/modules/dashboards/dashboard-push.ts';
import { registerDashboardPushRoutes } from '../../../src/modules/dashboards/dashboard-push-routes.ts';
import { registerDashboardRoutes } from '../../../src/modules/dashboards/dashboard-routes.ts';
import { createDashboards } from '../../../src/modules/dashboards/dashboard-service.ts';
import { createDashboardUpgrade } from '../../../src/modules/dashboards/dashboard-upgrade.ts';
import { JobRuns } from '../../../src/modules/job-runs/job-run-service.ts';
import { registerJobTemplateRoutes } from '../../../src/modules/job-templates/job-template-routes.ts';
import { createJobTemplates } from '../../../src/modules/job-templates/job-template-service.ts';
import { registerJobConfigRoutes } from '../../../src/modules/jobs/config/job-config-routes.ts';
import { createJobConfigs } from '../../../src/modules/jobs/config/job-config-service.ts';
import { registerJobRoutes } from '../../../src/modules/jobs/job-routes.ts';
import { createJobs } from '../../../src/modules/jobs/job-service.ts';
import { registerJobStateRoutes } from '../../../src/modules/jobs/job-state-routes.ts';
import { createJobStates } from '../../../src/modules/jobs/job-states.ts';
import { createJobOptions } from '../../../src/modules/jobs/options/job-options.ts';
import { registerJobOptionsRoutes } from '../../../src/modules/jobs/options/job-options-routes.ts';
import { createOfferedValues } from '../../../src/modules/jobs/options/offered-values.ts';
import { createOptionsLimit } from '../../../src/modules/jobs/options/options-limit.ts';
import { registerJobStartRoutes } from '../../../src/modules/jobs/start/job-start-routes.ts';
import { createJobStarts } from '../../../src/modules/jobs/start/job-starts.ts';
import { registerTaskOverrideRoutes } from '../../../src/modules/jobs/task-override-routes.ts';
import { createTaskOverrides } from '../../../src/modules/jobs/task-overrides.ts';
import { registerJobDriftRoutes } from '../../../src/modules/jobs/upgrade/job-drift-routes.ts';
import { createJobUpgrades } from '../../../src/modules/jobs/upgrade/job-upgrade.ts';
import { registerJobUpgradeRoutes } from '../../../src/modules/jobs/upgrade/job-upgrade-routes.ts';
import { createRunReruns } from '../../../src/modules/runs/run-rerun.ts';
import { registerTaskRunRoutes } from '../../../src/modules/runs/task-run-routes.ts';
import { registerPublicDashboardRoutes } from '../../../src/modules/share-links/public-dashboard-routes.ts';
import { createPublicLimits } from '../../../src/modules/share-links/public-limits.ts';
import { registerPublicWidgetRoutes } from '../../../src/modules/share-links/public-widget-routes.ts';
import { registerShareRoutes } from '../../../src/modules/share-links/share-routes.ts';
import { childTextsOf } from '../../../src/modules/tasks/child-tasks.ts';
import { createScriptRight } from '../../../src/modules/tasks/script-right.ts';
import { registerTaskPreviewRoutes } from '../../../src/modules/tasks/task-preview-routes.ts';
import { registerTaskRoutes } from '../../../src/modules/tasks/task-routes.ts';
import { createTasks } from '../../../src/modules/tasks/task-service.ts';
import { createIdempotencyStore } from '../../../src/store/idempotency-store.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Input } from '../../../src/threads/messages/calls.ts';
import type { WorkerPool } from '../../../src/threads/worker-pool.ts';
import { allDrivers } from '../../support/all-drivers.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { QUICK_PASSWORDS } from '../../support/visitor.ts';

const requireScriptRight = createScriptRight('admin');

export interface DefinitionsOptions {
  readonly batchLimits?: BatchLimits;
  readonly widgetLimits?: Partial<WidgetLimits>;
  /** The server's switch of input through share links. Default false. */
  readonly publicInput?: boolean;
  /**
   * Told what each call that goes to the worker host computes: the widgets' ids, and before them `shared:` and the name of a query
   * that they read, and `read:` and the id of the first of several that make the same call. It waits for what this gives.
   */
  readonly onWidgetCall?: (call: string) => void | Promise<void>;
  /** Awaited after a job's dashboard was parsed: a test changes the store meanwhile. */
  readonly afterDashboardsParsed?: () => Promise<void>;
  /** Takes dashboards as those that were stored before they were held against their job template, whatever they name. */
  readonly storedDashboards?: boolean;
}

/** Connectors, tasks, templates, jobs and dashboards over a store and the real worker host. */
export async function createDefinitionsApp(
  t: Test,
  store: Store,
  pool: WorkerPool,
  options: DefinitionsOptions = {},
): Promise<TestApp> {
  return createTestApp(t, (app, { clock, cipher }) => {
    const plain = app as unknown as FastifyInstance;
    installIdempotency(
      plain,
      createIdempotencyStore(store, () => clock.now()),
    );
    const parsers = createParsers({ pool, store });
    const { parseTask, validateJobConfig } = parsers;
    const parseDashboard: ParseDashboard = async (yaml, vars, saving) => {
      const parsed = await parsers.parseDashboard(yaml, vars, options.storedDashboards ? undefined : saving);
      if (vars !== null) await options.afterDashboardsParsed?.();
      return parsed;
    };
    const drivers = allDrivers;
    const connectors = createConnectors({ store, clock, cipher, drivers });
    const dashboards = createDashboards({ store, clock, parseDashboard });
    const documents = new DashboardDocuments();
    const connectorRefs: ConnectorRefs = (mapping) => connectors.connectorRefs(store.read, mapping);
    const batch = new WidgetBatch({
      db: store.read,
      clock,
      logger: silentLogger,
      documents,
      connectorRefs,
      pool: {
        run: async (call, run) => {
          for (const read of readsOf(call.input)) await options.onWidgetCall?.(read);
          return pool.run(call, run);
        },
      },
      ...(options.batchLimits && { limits: options.batchLimits }),
    });
    const wakeQueue = () => undefined;
    registerConnectorRoutes(app, { store, connectors, catalogue: drivers.catalogue });
    registerTaskRoutes(app, {
      store,
      parseTask,
      tasks: createTasks({ store, clock, parseTask, requireScriptRight }),
    });
    registerTaskRunRoutes(app, {
      store,
      clock,
      wakeQueue,
      reruns: createRunReruns({ store, clock, wakeQueue }),
    });
    registerTaskPreviewRoutes(app, {
      mayTryScripts: () => false,
      preview: (input, run) => pool.run({ kind: 'preview', input }, run),
      evaluate: (input, run) => pool.run({ kind: 'evaluate', input }, run),
      lock: (input, run) => pool.run({ kind: 'lock_task', input }, run),
      childTexts: (yaml) => childTextsOf(store.read, parsers.parseTaskAlone, yaml),
      connectorRef: connectors.connectorRef,
    });
    const jobTemplates = createJobTemplates({ store, clock, ...parsers });
    registerJobTemplateRoutes(app, { store, jobTemplates });
    const dashboardTemplates = createDashboardTemplates({ store, clock, parseDashboard });
    registerDashboardTemplateRoutes(app, { store, dashboardTemplates, parseDashboard });
    registerJobRoutes(app, {
      store,
      jobs: createJobs({ store, clock, prepareDashboards: dashboards.prepare }),
    });
    const jobStarts = createJobStarts({
      store,
      jobRuns: new JobRuns({ store, clock, wakeQueue }),
      evaluateKey: (templateYaml, scope) => pool.run({ kind: 'job_key', input: { templateYaml, scope } }),
      validateJobConfig,
    });
    registerJobStartRoutes(app, { store, jobStarts });
    const jobOptions = createJobOptions({ clock, pool, connectorRefs });
    const jobConfigs = createJobConfigs({
      offeredValues: createOfferedValues(jobOptions),
      store,
      clock,
      validateJobConfig,
    });
    const jobUpgrades = createJobUpgrades({
      offeredValues: createOfferedValues(jobOptions),
      store,
      clock,
      validateJobConfig,
      prepareDashboards: createDashboardUpgrade({ store, parseDashboard }),
    });
    registerJobUpgradeRoutes(app, jobUpgrades);
    registerJobConfigRoutes(app, { store, jobConfigs });
    registerJobDriftRoutes(app, { store });
    registerTaskOverrideRoutes(app, {
      taskOverrides: createTaskOverrides({ store, clock, parseTask, requireScriptRight }),
    });
    registerJobStateRoutes(app, { jobStates: createJobStates({ store, clock, ...parsers }) });
    const countOptions = createOptionsLimit(app);
    registerJobOptionsRoutes(app, { store, jobOptions, countOptions });
    const widgetService = createWidgetService({
      store,
      clock,
      pool,
      documents,
      connectorRefs,
      jobOptions,
      jobConfigs,
      jobStarts,
      ...(options.widgetLimits && { limits: options.widgetLimits }),
    });
    registerDashboardPushRoutes(app, new DashboardPush({ store, clock, parseDashboard }));
    registerDashboardRoutes(app, { store, dashboards });
    registerWidgetDataRoutes(app, { store, batch });
    registerDraftDashboardRoutes(app, { store, batch, parseDashboard });
    registerDashboardWidgetRoutes(app, { store, widgetService, countOptions, parseDashboard });
    const sharing = createSharingServices(
      { store, clock, cipher, inputEnabled: async () => options.publicInput === true },
      { batch, documents, passwords: createPasswords(QUICK_PASSWORDS) },
      widgetService,
    );
    registerShareRoutes(app, { store, shares: sharing.shares });
    const linkUse = { links: sharing.publicLinks, count: createPublicLimits(app) };
    registerPublicDashboardRoutes(app, {
      ...linkUse,
      branding: async () => DEFAULT_BRANDING,
      shares: sharing.shares,
      lock: sharing.shareLock,
      batch: sharing.publicBatch,
      secureCookies: true,
    });
    registerPublicWidgetRoutes(app, { ...linkUse, widgets: sharing.publicWidgets });
  });
}

function readsOf({ document, widgets }: Input<'widgets'>): readonly string[] {
  const ids = widgets.map(({ widgetId }) => widgetId);
  const { pages } = JSON.parse(document ?? '') as Dashboard;
  const group = pages.flatMap((page) => page.widgets).filter(({ id }) => ids.includes(id));
  const reads = group.flatMap(({ id, binding }) => {
    if (binding.kind === 'shared_query') return [`shared:${binding.name}`];
    return binding.kind === 'call' && ids.length > 1 && id === ids[0] ? [`read:${id}`] : [];
  });
  return [...new Set(reads), ...ids];
}

/** The body of a refusal. */
export interface Refusal {
  error: string;
  message: string;
  details: { path: string; message: string; line?: number; column?: number }[];
}
