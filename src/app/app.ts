import type { FastifyInstance } from 'fastify';
import type { Clock } from '../base/clock.ts';
import { randomHex } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import { portOfAddress } from '../base/outbound/outbound-policy.ts';
import { programFile } from '../base/program-files.ts';
import type { Config } from '../config.ts';
import type { DriverFile } from '../drivers/custom/driver-file.ts';
import { loadDrivers } from '../drivers/registry.ts';
import { type App, createHttpServer } from '../http/server.ts';
import { createIdentify } from '../modules/auth/identify.ts';
import { EXECUTOR_AWAY_MS } from '../modules/executors/executor.ts';
import { selectExecutors } from '../modules/executors/executor-store.ts';
import { createMemoryFigures } from '../modules/health/memory-figures.ts';
import { meterRequests } from '../modules/health/prometheus-routes.ts';
import { createQueueFigures } from '../modules/health/queue-figures.ts';
import { serverGauges } from '../modules/health/server-gauges.ts';
import { defaultLocaldbPath } from '../modules/metrics/localdb-path.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { createWorkerPool } from '../threads/pool.ts';
import type { WorkerPool } from '../threads/worker-pool.ts';
import { type GrpcListeners, listenForExecutors } from './grpc-listeners.ts';
import { type HousekeepingDeps, startHousekeeping } from './housekeeping.ts';
import { openServerCipher } from './keys/server-keys.ts';
import { startPresence } from './keys/server-presence.ts';
import { createOutboundWays, outboundAccessOf, statePorts } from './outbound-ways.ts';
import { driverFilesOf, fileAccessOf } from './own-files.ts';
import { registerRoutes } from './routes.ts';
import { createServices, type Services } from './services/services.ts';
import { lockState } from './state-lock.ts';
import { stateSettingsOf } from './state-settings.ts';
import { warnOfUntrustedProxies } from './untrusted-proxies.ts';
import { requireUsableFiles } from './usable-files.ts';

/** The name of executors that `serve` starts beside a control plane. */
const EMBEDDED_NAME = 'embedded';
/** The scheduler passes every second: after this time without a pass it is failing. */
const SCHEDULER_SILENT_MS = 15_000;

export interface AppDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly version: string;
  /** Resolves once the web pages are built, where they are not yet. */
  readonly pagesBuilt?: Promise<unknown>;
  /** Called with the HTTP server before any route is added to it, so that tests can watch its routes and answers. */
  readonly watchHttp?: (http: App) => void;
}

/** A running control plane. */
export interface ControlPlaneApp {
  readonly httpAddress: string;
  readonly grpcAddress: string;
  /** Where the executor that `serve` starts connects. */
  readonly embeddedAddress: string;
  /** Where this server listens, and its state database: what users name must not lead there. */
  readonly ownPorts: readonly number[];
  /** Valid for this start alone: the executor that `serve` starts uses it. */
  readonly embeddedKey: string;
  readonly embeddedName: string;
  /** Shown on the console while there is no user; else null. */
  readonly setupToken: string | null;
  readonly store: Store;
  readonly pool: WorkerPool;
  /** Drivers of the operator's own, which the executor that `serve` starts has too. */
  readonly driverFiles: readonly DriverFile[];
  /** Gives back what executors of this name, or one instance of it, held: they are surely dead. */
  releaseExecutors(name: string, instanceId: string | null): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The composition root: opens the store and the worker host, puts the modules together, listens. A start that fails leaves
 * nothing open behind it.
 */
export async function startControlPlane(deps: AppDeps): Promise<ControlPlaneApp> {
  const { config, clock, logger } = deps;
  await using undo = new AsyncDisposableStack();
  const parts = await openParts(deps, undo);
  const { store, pool, services, ownPorts, http } = parts;
  const { executorKeys } = services;
  const embeddedKey = randomHex(32);
  let grpc: GrpcListeners | null = null;
  // Before anybody can ask: what an earlier start of this server ran has ended with it. A shared store has other servers' too.
  if (config.state.serverdb === undefined) await services.executors.release(EMBEDDED_NAME, null);
  await registerAllRoutes(deps, parts, () => grpc);
  const { host, port } = config.http;
  const httpAddress = await listening(() => http.listen({ host, port }), `${host}:${port}`, 'SVC_HTTP_PORT');
  const listeners = await listening(
    () => listenForExecutors({ config, controlPlane: services.intake, logger, executorKeys, embeddedKey }),
    `${config.grpc.host}:${config.grpc.port}`,
    'SVC_GRPC_PORT',
  );
  undo.defer(() => listeners.stop());
  grpc = listeners;
  for (const address of [httpAddress, listeners.address, listeners.embeddedAddress])
    ownPorts.add(portOfAddress(address));
  await services.metricsConfigs.ensureDefault({
    path: defaultLocaldbPath(services.place),
    state: config.state.serverdb === undefined ? 'localdb' : 'serverdb',
  });
  const setupToken = await services.auth.issueSetupToken();
  const background = startBackground(services, { store, clock, logger });
  undo.move();
  return {
    httpAddress,
    grpcAddress: listeners.address,
    embeddedAddress: listeners.embeddedAddress,
    embeddedKey,
    embeddedName: EMBEDDED_NAME,
    ownPorts: [...ownPorts],
    setupToken,
    store,
    pool,
    driverFiles: parts.driverFiles,
    releaseExecutors: services.executors.release,
    async stop() {
      await background.stop();
      await Promise.all([listeners.stop(), http.close(), executorKeys.stop()]);
      services.notifications.close();
      await Promise.all([services.logs.close(), services.metricsBackends.close(), pool.stop()]);
      await Promise.all([parts.closeWays(), parts.presence.stop(), services.runOutcomes.stop()]);
      await store.close();
      parts.lock?.release();
    },
  };
}

type Parts = Awaited<ReturnType<typeof openParts>>;

/** Everything that is there before the first route; what was opened is undone by `undo`, the last first. */
async function openParts(deps: AppDeps, undo: AsyncDisposableStack) {
  const { config, clock, logger } = deps;
  const startedAt = clock.now();
  requireUsableFiles(config);
  const { localdb } = config.state;
  const lock = config.state.serverdb === undefined && localdb !== undefined ? lockState(localdb.path) : null;
  undo.defer(() => lock?.release());
  const store = await openStore(stateSettingsOf(config), logger, config.testing.crash_at);
  undo.defer(() => store.close());
  const cipher = await openServerCipher(store, config, startedAt);
  const presence = await startPresence({ store, clock, logger, cipher });
  undo.defer(() => presence.stop());
  const driverFiles = await driverFilesOf(config);
  const data = { ...fileAccessOf(config, store, driverFiles), outbound: outboundAccessOf(config) };
  const pool = createWorkerPool({ logger, data, ...poolOptionsOf(config) });
  undo.defer(() => pool.stop());
  const ownPorts = new Set(statePorts(config));
  const ways = createOutboundWays(config, ownPorts);
  const closeWays = () => Promise.all([ways.outbound.close(), ways.modelOutbound.close()]);
  undo.defer(async () => void (await closeWays()));
  const drivers = await loadDrivers(null, driverFiles);
  const services = createServices({ config, store, clock, logger, cipher, pool, drivers, ...ways });
  undo.defer(async () => {
    services.notifications.close();
    await Promise.all([services.logs.close(), services.metricsBackends.close()]);
  });
  const { executorKeys } = services;
  undo.defer(() => executorKeys.stop());
  await executorKeys.start();
  const sessionIdleMs = config.security.session_idle_minutes * 60_000;
  const identify = createIdentify({ store, clock, sessionIdleMs, proveExecutorKey: executorKeys.prove });
  const http = await createHttpServer(config, logger, identify);
  undo.defer(() => http.close());
  deps.watchHttp?.(http);
  meterRequests(http as unknown as FastifyInstance, services.meter);
  warnOfUntrustedProxies(http as unknown as FastifyInstance, deps);
  const figures = createQueueFigures(store, EXECUTOR_AWAY_MS);
  meterServer(services, pool, store, figures);
  return {
    startedAt,
    lock,
    store,
    presence,
    pool,
    ownPorts,
    closeWays,
    services,
    http,
    figures,
    driverFiles,
  };
}

/** `grpc` gives the executors' listeners once they are there: routes are registered before. */
async function registerAllRoutes(
  { config, clock, version, pagesBuilt }: AppDeps,
  { http, store, pool, services, startedAt, figures }: Parts,
  grpc: () => GrpcListeners | null,
): Promise<void> {
  await registerRoutes(http, {
    config,
    store,
    clock,
    services,
    figures,
    pages: { folder: programFile('dist/ui'), ...(pagesBuilt && { built: pagesBuilt }) },
    health: {
      version,
      uptimeSeconds: () => Math.round((clock.now() - startedAt) / 1_000),
      checks: async () => {
        const isReady = await store.isReady();
        // Not asked of a store that does not answer: it would hold up this answer once more.
        const isExecuting = isReady && (await hasExecutor(store, clock));
        return {
          store: isReady,
          migrations: true,
          scheduler: clock.now() - (services.ticker.lastTickAt ?? startedAt) < SCHEDULER_SILENT_MS,
          executors: isExecuting || (config.executor.embedded ? false : 'none'),
          grpc: grpc() !== null,
        };
      },
    },
    info: () => ({
      version,
      store: store.dialect.name,
      workers: { threads: config.workers.threads, ...pool.stats() },
      limits: {
        body_bytes: config.http.body_limit,
        queue_max: config.workers.queue_max,
        task_timeout_ms: config.workers.task_timeout_ms,
        requests_per_minute: config.security.rate_limit_per_minute,
      },
      public_url: config.http.public_url ?? null,
      grpc: { address: grpc()?.address ?? '', tls: config.grpc.tls !== null },
    }),
  });
}

/** Starts what works by itself: schedules, leases, deliveries, housekeeping. */
function startBackground(services: Services, deps: Pick<HousekeepingDeps, 'store' | 'clock' | 'logger'>) {
  const { ticker, jobRunSweeper, sweeper, webhookDeliverer, alertWatch, deletions, logs } = services;
  const loops = [sweeper, ticker, jobRunSweeper, webhookDeliverer, alertWatch, deletions];
  for (const loop of loops) loop.start();
  const retention = () => retentionOf(services);
  const stopHousekeeping = startHousekeeping({ ...deps, logs, retention, runPruning: services.runPruning });
  return {
    async stop() {
      await Promise.all([...loops.map((loop) => loop.stop()), stopHousekeeping()]);
    },
  };
}

function meterServer(
  { meter, notifications }: Services,
  pool: WorkerPool,
  store: Store,
  figures: Parts['figures'],
): void {
  const gauges = serverGauges({
    figures,
    workers: () => pool.stats(),
    watchers: () => notifications.watchers(),
    memory: createMemoryFigures({ bulkFiles: store.bulkFiles, workers: () => pool.stats() }),
  });
  for (const gauge of gauges) meter.gauge(gauge);
  meter.watchProcess();
}

async function retentionOf({ serverConfigs }: Services) {
  const settings = await serverConfigs.effective();
  return {
    log_days: settings['retention.log_days'],
    log_bytes: settings['retention.log_bytes'],
    run_days: settings['retention.run_days'],
    run_keep_last: settings['retention.run_keep_last'],
    audit_days: settings['retention.audit_days'],
  };
}

/** An address in use is reported with its setting. */
async function listening<T>(listen: () => Promise<T>, address: string, setting: string): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code !== 'EADDRINUSE') throw error;
    const message = `The address ${address} is in use: set ${setting} to another port`;
    throw Object.assign(new Error(message, { cause: error }), { code });
  }
}

function poolOptionsOf({ workers }: Config) {
  return {
    threads: workers.threads,
    queueMax: workers.queue_max,
    callTimeoutMs: workers.task_timeout_ms,
    heapMbMax: workers.max_heap_mb,
  };
}

/** Those seen last: some of them may have been drained since. */
const EXECUTORS_ASKED_MAX = 20;

async function hasExecutor(store: Store, clock: Clock): Promise<boolean> {
  const newest = await selectExecutors(store.read, EXECUTORS_ASKED_MAX).catch(() => []);
  return newest.some(
    ({ status, last_seen_at }) => status === 'online' && clock.now() - last_seen_at < EXECUTOR_AWAY_MS,
  );
}
