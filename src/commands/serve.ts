import type { ControlPlaneApp } from '../app/app.ts';
import { fileAccessOf } from '../app/own-files.ts';
import { systemClock } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import { giveBackMemoryWhenIdle } from '../base/idle-memory.ts';
import { createLogger } from '../base/logger.ts';
import { type Config, loadConfig } from '../config.ts';
import { defaultSpoolDir } from '../executor/log/spool-folder.ts';
import { StoreOpenError } from '../store/store-open-error.ts';
import { version } from '../version.ts';
import { buildMissingPages } from './kit/build-pages.ts';
import { EXIT } from './kit/exit-code.ts';
import { settingsProblems } from './kit/require-config.ts';
import { EmbeddedExecutor, type EmbeddedExecutorOptions } from './serve/embedded-executor.ts';

const STOP_MS_MAX = 10_000;

/** `headgate serve`: runs until SIGINT or SIGTERM, then stops in under 10 s. Resolves with the exit code. */
export async function serve(): Promise<number> {
  const loaded = loadConfig();
  if (!loaded.ok) {
    console.error(settingsProblems(loaded.problems));
    return EXIT.config;
  }
  const { config } = loaded;
  const logger = createLogger(config.log.level, 'headgate', config.log.format);
  const stopped = stopSignal();
  const executor = config.executor.embedded ? new EmbeddedExecutor(logger) : null;
  executor?.prepare();
  const pagesBuilt = buildMissingPages(logger);
  let app: ControlPlaneApp;
  try {
    // Most of the code: wrong settings are told without it, and the executor loads its own meanwhile.
    const { startControlPlane } = await import('../app/app.ts');
    app = await startControlPlane({ config, clock: systemClock, logger, version, pagesBuilt });
  } catch (error) {
    console.error(startMessageOf(error));
    logger.debug({ err: error }, 'the start failed');
    await executor?.stop();
    return exitCodeOf(error);
  }
  executor?.start(workOf(config, app));
  announce(app, config);
  giveBackMemoryWhenIdle({ forgetsStart: true });
  const signal = await stopped;
  logger.info({ signal }, 'stopping');
  const deadline = setTimeout(() => process.exit(1), STOP_MS_MAX);
  await executor?.stop();
  await app.stop();
  clearTimeout(deadline);
  return 0;
}

function workOf(config: Config, app: ControlPlaneApp): EmbeddedExecutorOptions {
  return {
    server: app.embeddedAddress,
    key: app.embeddedKey,
    name: app.embeddedName,
    release: app.releaseExecutors,
    slots: config.executor.slots,
    logLevel: config.log.level,
    logFormat: config.log.format,
    access: fileAccessOf(config, app.store, app.driverFiles),
    outbound: config.outbound,
    serverPorts: app.ownPorts,
    spoolDir: defaultSpoolDir(),
  };
}

function announce(app: ControlPlaneApp, config: Config): void {
  const address = config.http.public_url ?? app.httpAddress;
  console.log(`Headgate ${version} is ready at ${address}`);
  console.log(`Executors connect to ${app.grpcAddress} (gRPC)`);
  if (app.setupToken !== null) {
    console.log('\nThere is no user yet. Create the first one on this page; the link works once:');
    // Behind the `#`, so that no browser sends it anywhere, and no proxy writes it into a log.
    console.log(`${address.replace(/\/+$/, '')}/set-up#${app.setupToken}`);
    console.log(`Setup token: ${app.setupToken}`);
  }
}

/** The first signal stops gracefully, the second at once. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    const on = (signal: string) => {
      resolve(signal);
      process.once('SIGINT', () => process.exit(130));
      process.once('SIGTERM', () => process.exit(143));
    };
    process.once('SIGINT', on);
    process.once('SIGTERM', on);
  });
}

/** What restarts the server should try again unless the settings are wrong (`deploy/headgate.service`). */
function exitCodeOf(error: unknown): number {
  if (error instanceof StoreOpenError && error.mayPass) return EXIT.unavailable;
  return error instanceof AppError ? EXIT.config : EXIT.failed;
}

function startMessageOf(error: unknown): string {
  if ((error as { code?: string }).code === 'EADDRINUSE') return messageOf(error);
  const cause = error instanceof AppError && error.cause !== undefined ? ` (${messageOf(error.cause)})` : '';
  const place = error instanceof StoreOpenError ? `: ${error.place}` : '';
  return `Headgate cannot start: ${messageOf(error)}${place}${cause}`;
}
