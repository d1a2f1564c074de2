import type { FastifyInstance } from 'fastify';
import type { Clock } from '../base/clock.ts';
import { isLoopback } from '../base/outbound/address.ts';
import type { Config } from '../config.ts';
import { installIdempotency } from '../http/idempotency.ts';
import { registerApiDocs } from '../http/openapi/api-docs.ts';
import type { App } from '../http/server.ts';
import { registerStaticPages, type StaticPages } from '../http/static-pages.ts';
import { registerAiRoutes } from '../modules/ai/ai-routes.ts';
import { registerAiReferenceRoutes } from '../modules/ai-references/ai-reference-routes.ts';
import { registerAuditRoutes } from '../modules/audit/audit-routes.ts';
import { registerApiKeyRoutes } from '../modules/auth/api-keys/api-key-routes.ts';
import { registerAuthRoutes } from '../modules/auth/auth-routes.ts';
import { registerBrandingRoutes } from '../modules/branding/branding-routes.ts';
import { registerConnectorHealthRoutes } from '../modules/connector-health/connector-health-routes.ts';
import { registerConnectorCallRoutes } from '../modules/connectors/connector-call-routes.ts';
import { registerConnectorRoutes } from '../modules/connectors/connector-routes.ts';
import { registerPluginRoutes } from '../modules/connectors/plugin-routes.ts';
import { registerDashboardTemplateRoutes } from '../modules/dashboard-templates/dashboard-template-routes.ts';
import { registerDashboardWidgetRoutes } from '../modules/dashboard-widgets/dashboard-widget-routes.ts';
import { registerDraftDashboardRoutes } from '../modules/dashboard-widgets/draft-dashboard-routes.ts';
import { registerWidgetDataRoutes } from '../modules/dashboard-widgets/widget-data-routes.ts';
import { registerDashboardPushRoutes } from '../modules/dashboards/dashboard-push-routes.ts';
import { registerDashboardRoutes } from '../modules/dashboards/dashboard-routes.ts';
import { registerDeadLetterReplayRoutes } from '../modules/dead-letters/dead-letter-replay-routes.ts';
import { registerDeadLetterRoutes } from '../modules/dead-letters/dead-letter-routes.ts';
import { registerCallbackRoutes } from '../modules/executor-callbacks/callback-routes.ts';
import { registerExecutorRoutes } from '../modules/executors/executor-routes.ts';
import { registerExecutorKeyRoutes } from '../modules/executors/keys/executor-key-routes.ts';
import { registerRosterRoutes } from '../modules/executors/roster/roster-routes.ts';
import { registerQueueRoutes } from '../modules/executors/waiting/queue-routes.ts';
import { registerExplorerPresetRoutes } from '../modules/explorer-presets/explorer-preset-routes.ts';
import { registerExportImportRoutes } from '../modules/export-import/export-import-routes.ts';
import { type HealthDeps, registerHealthRoutes } from '../modules/health/health-routes.ts';
import { registerPrometheusRoute } from '../modules/health/prometheus-routes.ts';
import { registerJobRunRoutes } from '../modules/job-runs/job-run-routes.ts';
import { registerJobTemplateRoutes } from '../modules/job-templates/job-template-routes.ts';
import { registerJobConfigRoutes } from '../modules/jobs/config/job-config-routes.ts';
import { registerJobHealthRoutes } from '../modules/jobs/job-health-routes.ts';
import { registerJobRoutes } from '../modules/jobs/job-routes.ts';
import { registerJobStateRoutes } from '../modules/jobs/job-state-routes.ts';
import { registerJobOptionsRoutes } from '../modules/jobs/options/job-options-routes.ts';
import { type CountOptions, createOptionsLimit } from '../modules/jobs/options/options-limit.ts';
import { registerJobStartRoutes } from '../modules/jobs/start/job-start-routes.ts';
import { registerTaskOverrideRoutes } from '../modules/jobs/task-override-routes.ts';
import { registerJobDriftRoutes } from '../modules/jobs/upgrade/job-drift-routes.ts';
import { registerJobUpgradeRoutes } from '../modules/jobs/upgrade/job-upgrade-routes.ts';
import { registerMetricsConfigRoutes } from '../modules/metrics/metrics-config-routes.ts';
import { registerMetricsDataRoutes } from '../modules/metrics/metrics-data-routes.ts';
import { registerChannelRoutes } from '../modules/notifications/channel-routes.ts';
import { registerPruneRoutes } from '../modules/retention/prune-routes.ts';
import { registerRunLogRoutes } from '../modules/run-logs/run-log-routes.ts';
import { registerRunRoutes } from '../modules/runs/run-routes.ts';
import { registerTaskRunRoutes } from '../modules/runs/task-run-routes.ts';
import { type OverviewRoutesDeps, registerOverviewRoutes } from '../modules/server/overview-routes.ts';
import { registerSchemaRoutes } from '../modules/server/schema-routes.ts';
import { registerServerConfigRoutes } from '../modules/server/server-config-routes.ts';
import { registerServerRoutes, type ServerRoutesDeps } from '../modules/server/server-routes.ts';
import { registerPublicDashboardRoutes } from '../modules/share-links/public-dashboard-routes.ts';
import { createPublicLimits } from '../modules/share-links/public-limits.ts';
import { registerPublicWidgetRoutes } from '../modules/share-links/public-widget-routes.ts';
import { registerShareRoutes } from '../modules/share-links/share-routes.ts';
import { mayTryScripts } from '../modules/tasks/script-right.ts';
import { registerTaskPreviewRoutes } from '../modules/tasks/task-preview-routes.ts';
import { registerTaskRoutes } from '../modules/tasks/task-routes.ts';
import { registerBackfillRoutes } from '../modules/triggers/backfill/backfill-routes.ts';
import { registerTriggerRoutes } from '../modules/triggers/trigger-routes.ts';
import { registerAccountRoutes } from '../modules/users/account-routes.ts';
import { registerUserRoutes } from '../modules/users/user-routes.ts';
import { registerWebhookDeliveryRoutes } from '../modules/webhooks/delivery/webhook-delivery-routes.ts';
import { registerWebhookRoutes } from '../modules/webhooks/webhook-routes.ts';
import { createIdempotencyStore } from '../store/idempotency-store.ts';
import type { Store } from '../store/store.ts';
import type { Services } from './services/services.ts';

export interface RoutesDeps {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly services: Services;
  readonly health: HealthDeps;
  readonly info: ServerRoutesDeps['info'];
  readonly figures: OverviewRoutesDeps['figures'];
  readonly pages: StaticPages;
}

/** Every route of the server, in the modules' order. */
export async function registerRoutes(app: App, deps: RoutesDeps): Promise<void> {
  const { store, clock } = deps;
  installIdempotency(
    app as unknown as FastifyInstance,
    createIdempotencyStore(store, () => clock.now()),
  );
  const countOptions = createOptionsLimit(app);
  registerPeople(app, deps);
  registerDefinitions(app, deps);
  registerJobs(app, deps, countOptions);
  registerRuns(app, deps);
  await registerExecutors(app, deps);
  registerServer(app, deps);
  registerDashboards(app, deps, countOptions);
  registerPublic(app, deps);
  registerWebhookRoutes(app, { store, ...deps.services });
  registerWebhookDeliveryRoutes(app, { store, ...deps.services });
  registerChannelRoutes(app, { store, ...deps.services, publicUrl: deps.config.http.public_url ?? null });
  registerAiRoutes(app, deps.services);
  await registerExportImportRoutes(app, deps.services);
  registerOpenapiRoute(app);
  registerApiDocs(app);
  registerStaticPages(app, { ...deps.pages, embedOrigins: deps.services.shares.embedOrigins });
}

function registerPeople(app: App, { config, store, clock, services, health }: RoutesDeps): void {
  registerHealthRoutes(app, health);
  registerPrometheusRoute(app, services.meter);
  registerAuthRoutes(app, { store, clock, auth: services.auth, secureCookies: !isPlainLoopback(config) });
  registerApiKeyRoutes(app, { store, clock });
  registerUserRoutes(app, { store, users: services.users, listSessions: services.account.listSessions });
  registerAccountRoutes(app, services.account);
  registerAuditRoutes(app, store);
}

function registerDefinitions(app: App, { config, store, services }: RoutesDeps): void {
  registerConnectorRoutes(app, {
    store,
    connectors: services.connectors,
    catalogue: services.drivers.catalogue,
  });
  registerConnectorHealthRoutes(app, { store });
  registerPluginRoutes(app, services.pluginSpecs);
  registerConnectorCallRoutes(app, services.connectorCalls);
  registerTaskRoutes(app, { store, ...services });
  registerTaskPreviewRoutes(app, {
    preview: services.preview,
    evaluate: services.evaluate,
    lock: services.lockTask,
    childTexts: services.childTexts,
    connectorRef: services.connectors.connectorRef,
    mayTryScripts: (role) => mayTryScripts(config.scripts.allow, role),
  });
  registerJobTemplateRoutes(app, { store, ...services });
  registerDashboardTemplateRoutes(app, { store, ...services });
  registerAiReferenceRoutes(app, { store, aiReferences: services.aiReferences });
}

function registerJobs(app: App, { store, services }: RoutesDeps, countOptions: CountOptions): void {
  registerJobHealthRoutes(app, { store });
  registerJobRoutes(app, { store, ...services });
  registerJobStartRoutes(app, { store, jobStarts: services.jobStarts });
  registerJobConfigRoutes(app, { store, ...services });
  registerJobStateRoutes(app, services);
  registerJobDriftRoutes(app, { store });
  registerJobUpgradeRoutes(app, services.jobUpgrades);
  registerTaskOverrideRoutes(app, services);
  registerJobOptionsRoutes(app, { store, jobOptions: services.jobOptions, countOptions });
}

function registerRuns(app: App, { store, clock, services }: RoutesDeps): void {
  registerTaskRunRoutes(app, { store, clock, ...services });
  registerRunRoutes(app, { store, runs: services.runs });
  registerPruneRoutes(app, { store, clock, runPruning: services.runPruning });
  registerRunLogRoutes(app, { store, notifications: services.notifications, now: () => clock.now() });
  registerDeadLetterRoutes(app, { store, clock });
  registerDeadLetterReplayRoutes(app, services.deadLetterReplays);
  registerJobRunRoutes(app, { store, ...services });
  registerTriggerRoutes(app, { store, clock, triggers: services.triggers });
  registerBackfillRoutes(app, { store, backfills: services.backfills });
  registerMetricsConfigRoutes(app, { store, configs: services.metricsConfigs });
  registerMetricsDataRoutes(app, { store, clock, metrics: services.metrics });
}

async function registerExecutors(app: App, { store, services }: RoutesDeps): Promise<void> {
  registerExecutorKeyRoutes(app, services.executorKeys);
  registerQueueRoutes(app, store);
  registerRosterRoutes(app, { store, drains: services.executorDrains });
  await registerExecutorRoutes(app, services.intake, services.executorKeys);
  await registerCallbackRoutes(app, {
    controlPlane: services.intake,
    storePoints: services.metrics.storePoints,
  });
}

function registerServer(app: App, { store, services, info, figures }: RoutesDeps): void {
  registerServerRoutes(app, { info });
  registerOverviewRoutes(app, { store, figures });
  registerServerConfigRoutes(app, services);
  registerSchemaRoutes(app);
  registerBrandingRoutes(app, services);
}

function registerDashboards(app: App, { store, services }: RoutesDeps, countOptions: CountOptions): void {
  registerExplorerPresetRoutes(app, { store, explorerPresets: services.explorerPresets });
  registerDashboardPushRoutes(app, services.dashboardPush);
  registerDashboardRoutes(app, { store, ...services });
  registerWidgetDataRoutes(app, { store, ...services });
  registerDraftDashboardRoutes(app, { store, ...services });
  registerDashboardWidgetRoutes(app, { store, countOptions, ...services });
  registerShareRoutes(app, { store, shares: services.shares });
}

function registerPublic(app: App, { config, services }: RoutesDeps): void {
  const linkUse = { links: services.publicLinks, count: createPublicLimits(app) };
  registerPublicDashboardRoutes(app, {
    ...linkUse,
    branding: async () => (await services.brandings.current()).branding,
    shares: services.shares,
    lock: services.shareLock,
    batch: services.publicBatch,
    secureCookies: !isPlainLoopback(config),
  });
  registerPublicWidgetRoutes(app, { ...linkUse, widgets: services.publicWidgets });
}

function registerOpenapiRoute(app: App): void {
  app.get('/api/openapi.json', { config: { access: { kind: 'none' } }, schema: { hide: true } }, async () =>
    app.swagger(),
  );
}

function isPlainLoopback(config: Config): boolean {
  return isLoopback(config.http.host) && !config.http.public_url?.startsWith('https:');
}
