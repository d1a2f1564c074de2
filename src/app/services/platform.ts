import { resolve } from 'node:path';
import { PrometheusMeter } from '../../metering/prometheus-meter.ts';
import { createAi } from '../../modules/ai/ai-service.ts';
import { createAskModel } from '../../modules/ai/ask-model.ts';
import { createChecks } from '../../modules/ai/generation-checks.ts';
import { createFailureLimit } from '../../modules/auth/failure-limit.ts';
import type { WidgetService } from '../../modules/dashboard-widgets/widget-viewer.ts';
import { executorLimitsOf } from '../../modules/executors/executor.ts';
import { createExports } from '../../modules/export-import/export-service.ts';
import { createImports } from '../../modules/export-import/import/import-service.ts';
import { RunOutcomes } from '../../modules/health/run-outcomes.ts';
import { MetricsBackends } from '../../modules/metrics/metrics-backends.ts';
import { createMetricsConfigs } from '../../modules/metrics/metrics-config-service.ts';
import { createMetrics } from '../../modules/metrics/metrics-service.ts';
import { createTaskMetrics } from '../../modules/metrics/task-metrics.ts';
import { AlertWatch } from '../../modules/notifications/alerts/alert-watch.ts';
import { createChannels } from '../../modules/notifications/channel-service.ts';
import { createChannelSenders } from '../../modules/notifications/send/channel-senders.ts';
import { PublicBatch } from '../../modules/share-links/public-batch.ts';
import { createPublicLinks } from '../../modules/share-links/public-links.ts';
import { createPublicWidgets } from '../../modules/share-links/public-widgets.ts';
import { createShareLock } from '../../modules/share-links/share-lock.ts';
import { createShares } from '../../modules/share-links/share-service.ts';
import { selectInputStamp } from '../../modules/share-links/share-store.ts';
import {
  ATTEMPT_TIMEOUT_MS,
  WEBHOOKS_CHANNEL,
  WebhookDeliverer,
} from '../../modules/webhooks/delivery/webhook-deliverer.ts';
import { createWebhookRedelivery } from '../../modules/webhooks/delivery/webhook-redelivery.ts';
import { createWebhookSender } from '../../modules/webhooks/delivery/webhook-send.ts';
import type { WebhookOutbox } from '../../modules/webhooks/webhook-outbox.ts';
import { createWebhooks } from '../../modules/webhooks/webhook-service.ts';
import { ownFilesOf } from '../own-files.ts';
import type { DefinitionServices } from './definitions.ts';
import type { ServicesDeps } from './services-deps.ts';

export type MeteringServices = ReturnType<typeof createMeteringServices>;

/** What the server measures of itself and of runs, and where it goes. */
export function createMeteringServices(deps: ServicesDeps) {
  const { config, store, clock, logger, pool, cipher, outbound } = deps;
  const place = {
    path: config.metrics.path,
    reserved: ownFilesOf(config, store).filter((file) => file !== resolve(config.metrics.path)),
  };
  const meter = new PrometheusMeter({ seriesMax: config.metrics.series_max, clock });
  const runOutcomes = new RunOutcomes({ store, clock, runs: meter.runs });
  meter.settleFirst(() => runOutcomes.settle());
  const metricsBackends = new MetricsBackends({
    store,
    clock,
    logger,
    random: Math.random,
    cipher,
    meter,
    place,
    outbound,
    stateUrl: config.state.serverdb?.url ?? null,
  });
  const taskMetrics = createTaskMetrics(async (yaml) => {
    const parsed = await pool.run({ kind: 'parse_task', input: { yaml } });
    return parsed.ok ? (parsed.metrics ?? null) : null;
  });
  const metrics = createMetrics({ store, clock, logger, meter, backends: metricsBackends, taskMetrics });
  const metricsConfigs = createMetricsConfigs({
    store,
    clock,
    cipher,
    probe: (settings) => metricsBackends.probe(settings),
  });
  return { place, meter, runOutcomes, metrics, metricsBackends, metricsConfigs };
}

/** The model that writes definitions. */
export function createAiServices(
  { store, clock, modelOutbound }: Pick<ServicesDeps, 'store' | 'clock' | 'modelOutbound'>,
  { parseTask, parseDashboard, jobTemplates, drivers, connectorCalls, serverConfigs }: DefinitionServices,
) {
  const ai = createAi({
    store,
    clock,
    settings: serverConfigs.effective,
    askModel: createAskModel(modelOutbound.fetch),
    check: createChecks({ store, parseTask, parseDashboard, jobTemplates }),
    catalogue: drivers.catalogue,
    introspect: connectorCalls.introspect,
  });
  return { ai };
}

export interface SharingDeps extends Pick<ServicesDeps, 'store' | 'clock' | 'cipher'> {
  /** The server's own switch of public input. */
  readonly inputEnabled: () => Promise<boolean>;
}

/** Share links of dashboards, and what strangers get through them. */
export function createSharingServices(
  { inputEnabled, store, clock, cipher }: SharingDeps,
  { passwords, batch, documents }: Pick<DefinitionServices, 'passwords' | 'batch' | 'documents'>,
  widgetService: WidgetService,
) {
  const shares = createShares({ store, clock, cipher, passwords });
  const limit = createFailureLimit(store);
  const shareLock = createShareLock({ store, clock, cipher, passwords, limit });
  return {
    shares,
    shareLock,
    publicLinks: createPublicLinks({ shares, lock: shareLock, documents, inputEnabled }),
    publicWidgets: createPublicWidgets({ store, clock, widgets: widgetService }),
    publicBatch: new PublicBatch({
      batch,
      clock,
      inputStamp: (row) => selectInputStamp(store.read, row),
      filtersOf: (row) => documents.filtersOf(row),
    }),
  };
}

/** Webhooks, notification channels and their delivery; most events come from `webhookOutbox` of the execution services. */
export function createWebhookServices(
  { config, store, clock, logger, cipher, outbound }: ServicesDeps,
  { meter }: Pick<MeteringServices, 'meter'>,
  { emitTo }: Pick<WebhookOutbox, 'emitTo'>,
) {
  const { checkUrl, fetch } = outbound;
  const timeoutMs = ATTEMPT_TIMEOUT_MS;
  const publicUrl = config.http.public_url ?? null;
  const wake = () => store.notify(WEBHOOKS_CHANNEL);
  const limits = executorLimitsOf(config.testing.lease_ttl_ms);
  const senders = {
    webhook: createWebhookSender({ cipher, fetch, timeoutMs }),
    ...createChannelSenders({ cipher, outbound, timeoutMs, publicUrl }),
  };
  return {
    webhooks: createWebhooks({ store, clock, cipher, checkUrl }),
    channels: createChannels({ store, clock, cipher, checkUrl }),
    webhookRedelivery: createWebhookRedelivery({ store, clock, receiver: 'webhook', emitTo, wake }),
    channelRedelivery: createWebhookRedelivery({ store, clock, receiver: 'channel', emitTo, wake }),
    webhookDeliverer: new WebhookDeliverer({ store, clock, logger, meter, random: Math.random, senders }),
    alertWatch: new AlertWatch({
      store,
      clock,
      logger,
      emitTo,
      wake,
      awayMs: limits.lease_ttl_ms + limits.reconnect_grace_ms,
    }),
  };
}

type BundledDefinitions = Pick<
  DefinitionServices,
  | 'parseTaskAlone'
  | 'parseTemplate'
  | 'checkNodes'
  | 'parseDashboard'
  | 'connectors'
  | 'tasks'
  | 'jobTemplates'
  | 'dashboardTemplates'
>;

/** Definitions out of this server and into it, as bundles that the worker host reads and writes. */
export function createBundleServices(
  { store, clock, pool }: Pick<ServicesDeps, 'store' | 'clock' | 'pool'>,
  definitions: BundledDefinitions,
) {
  return {
    exports: createExports({
      store,
      clock,
      writeBundle: (bundle, format) => pool.run({ kind: 'write_bundle', input: { bundle, format } }),
    }),
    imports: createImports({
      ...definitions,
      // A bundle has tasks that run one another, each of which would be held against what is stored.
      parseTask: definitions.parseTaskAlone,
      store,
      clock,
      parseBundle: (input) => pool.run({ kind: 'parse_bundle', input }),
    }),
  };
}
