import { systemClock } from '../base/clock.ts';
import type { AppError } from '../base/errors.ts';
import { giveBackMemoryWhenIdle } from '../base/idle-memory.ts';
import { randomHex } from '../base/ids.ts';
import { createLogger, type LogFormat } from '../base/logger.ts';
import { createOutbound } from '../base/outbound/outbound.ts';
import { outboundRules, portOfAddress } from '../base/outbound/outbound-policy.ts';
import { saveCompiledCode } from '../base/process/compile-cache.ts';
import type { ConnectContext } from '../drivers/driver.ts';
import { CONNECTOR_TYPES } from '../drivers/driver-loaders.ts';
import type { GrpcClientTls } from '../protocol/client/channel.ts';
import type { ControlPlaneClient } from '../protocol/control-plane.ts';
import { fingerprintOf, isRevokedKey } from '../protocol/executor-key.ts';
import { createGrpcClient } from '../protocol/grpc-client.ts';
import { createExecutor, type Executor } from './executor.ts';
import { connectionFailureText } from './link/connection-failure.ts';
import { defaultSpoolDir } from './log/spool-folder.ts';

export interface RunExecutorOptions {
  /** `HOST:PORT` or `unix:PATH` of the control plane's gRPC service, or `http://HOST:PORT` or `https://HOST` of its API. */
  readonly server: string;
  readonly key: string;
  readonly tls?: GrpcClientTls;
  readonly name: string;
  /** Default: a new one. Given where the starter must know it, to give back at once what a dead executor held. */
  readonly instanceId?: string;
  readonly slots: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly version: string;
  readonly logLevel: string;
  /** Default: `auto`. */
  readonly logFormat?: LogFormat;
  /** Where file connectors may reach. */
  readonly access: Omit<ConnectContext, 'outbound'>;
  /** Which addresses the metrics backends of tasks and connectors that take a URL may have. */
  readonly outbound: Parameters<typeof outboundRules>[0];
  /** Further ports of the server, where it is on this machine: like that of `server` they are refused to tasks. */
  readonly serverPorts?: readonly number[];
  /** Folder for logs that cannot be sent fast enough; by default one in the system's temporary folder. */
  readonly spoolDir?: string;
  /** How long runs may take to end after the first signal; default 30 s, or 5 s where embedded. */
  readonly drainMs?: number;
  /** Started by `serve`: it also leaves when its IPC channel closes, and Ctrl-C is the parent's affair. */
  readonly embedded: boolean;
  /** Aborts to drain and leave, as the first signal does. */
  readonly signal?: AbortSignal;
}

/** `serve` starts and ends its whole tree, so its executor does not wait for another control plane. */
const EMBEDDED_DRAIN_MS = 5_000;
const DRAIN_MS = 30_000;
/** The key is refused. Source: sysexits.h, `EX_NOPERM`. */
const EXIT_REFUSED = 77;

/**
 * The executor as a process: registers, says on standard output that it is ready, and works until it is asked to leave. The
 * first SIGTERM (or SIGINT, unless embedded) drains: no new work, what runs may end within `drainMs`, and the rest goes back
 * to the queue. The second ends at once, in the same order without the wait. Resolves with the exit code when nothing is left: 77
 * where the control plane refuses the key, else 0.
 */
export async function runExecutor(options: RunExecutorOptions): Promise<number> {
  const { name, slots, labels, version, embedded } = options;
  const logger = createLogger(options.logLevel, 'headgate-executor', options.logFormat).child({
    server: options.server,
  });
  const ownPorts = [portOfAddress(options.server), ...(options.serverPorts ?? [])];
  const outbound = createOutbound({ rules: outboundRules(options.outbound, ownPorts) });
  const executor = createExecutor({
    client: await clientOf(options),
    name,
    instanceId: options.instanceId ?? randomHex(16),
    version,
    labels,
    slots,
    connectorTypes: [...CONNECTOR_TYPES, ...(options.access.drivers ?? []).map(({ type }) => type)],
    spoolDir: options.spoolDir ?? defaultSpoolDir(),
    connectContext: { ...options.access, outbound: { ...options.outbound, ownPorts } },
    outbound,
    logger,
    whyOf: (error) => connectionFailureText(options.server, error),
    clock: systemClock,
    random: Math.random,
  });
  const drainMs = options.drainMs ?? (embedded ? EMBEDDED_DRAIN_MS : DRAIN_MS);
  const stopping = stopWhenTold(executor, options, drainMs);
  let exitCode = 0;
  const leaving = executor.refused.then((why) => {
    logger.error({}, refusalOf(options, why));
    exitCode = EXIT_REFUSED;
    return executor.stop({ drainMs: 0 });
  });
  giveBackMemoryWhenIdle();
  try {
    await executor.start();
    saveCompiledCode();
    const { executorId } = executor.stats();
    if (executorId !== null) console.log(`Executor "${name}" (${executorId}) is ready: ${slots} slots`);
    await Promise.race([stopping.stopped, leaving]);
    return exitCode;
  } finally {
    await outbound.close();
    stopping.unlisten();
  }
}

function refusalOf({ server, key }: RunExecutorOptions, why: AppError): string {
  const what = isRevokedKey(why) ? 'revoked' : 'refused';
  return `The executor key "${fingerprintOf(key)}" is ${what} by the server at "${server}": set SVC_EXECUTOR_KEY or --key to a current key of that server; this executor abandons its runs and exits`;
}

/** The transport that the server's address names. */
async function clientOf({ server, key, tls }: RunExecutorOptions): Promise<ControlPlaneClient> {
  const secured = tls === undefined ? {} : { tls };
  if (isHttpAddress(server)) {
    // Its HTTP library is not loaded by the many executors that speak gRPC.
    const { createHttpClient } = await import('../protocol/http-client.ts');
    return createHttpClient({ baseUrl: server, key, ...secured });
  }
  return createGrpcClient({ address: server, key, ...secured });
}

/** An address of the API and not of the gRPC service. */
export function isHttpAddress(server: string): boolean {
  return /^https?:\/\//i.test(server);
}

function stopWhenTold(executor: Executor, options: RunExecutorOptions, drainMs: number) {
  const stopped = Promise.withResolvers<void>();
  let told = 0;
  const stop = () => {
    told += 1;
    executor.stop({ drainMs: told === 1 ? drainMs : 0 }).then(stopped.resolve, stopped.reject);
  };
  const leave = () => {
    if (told === 0) stop();
  };
  const ignore = () => undefined;
  const onInterrupt = options.embedded ? ignore : stop;
  // One to the whole process group comes with that of `serve`: together they are the first.
  const onTerminate = options.embedded ? leave : stop;
  process.on('SIGTERM', onTerminate);
  process.on('SIGINT', onInterrupt);
  if (options.embedded) process.once('disconnect', leave);
  options.signal?.addEventListener('abort', leave, { once: true });
  if (options.signal?.aborted) leave();
  return {
    stopped: stopped.promise,
    unlisten() {
      process.off('SIGTERM', onTerminate);
      process.off('SIGINT', onInterrupt);
      process.off('disconnect', leave);
      options.signal?.removeEventListener('abort', leave);
    },
  };
}
