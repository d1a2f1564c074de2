import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Outbound } from '../base/outbound/outbound.ts';
import type { MetricsBackend } from './backend.ts';
import type { BackendConfig, MetricsBackendType } from './backend-config.ts';

export interface OpenBackendDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  /** Called with the number of points (packets of statsd) lost by a backend that is not awaited. */
  readonly onDropped: (points: number) => void;
  /** The file of a `localdb` path; throws if it is not allowed. */
  readonly localdbPath: (path: string) => string;
  /** The way to every address that a configuration names. */
  readonly outbound: Outbound;
  /** The URL of the state store if that is a server, else null. A `serverdb` without a URL writes there. */
  readonly stateUrl: string | null;
}

/** One `backend` with its checked `config`, defaults filled in. */
export interface BackendSettings {
  readonly backend: MetricsBackendType;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Thrown if a `serverdb` names no database and the server's own state is not in one. */
export class NoDatabaseError extends Error {
  constructor() {
    super('the serverdb backend needs a "url": the state of this server is not in a PostgreSQL database');
    this.name = 'NoDatabaseError';
  }
}

/**
 * Opens a backend of any type. Only `localdb` is opened at once and may reject; network backends connect when they are written
 * to. The code of each type is loaded with its first use.
 */
export async function openBackend(
  { backend, config }: BackendSettings,
  deps: OpenBackendDeps,
): Promise<MetricsBackend> {
  const { clock, logger, outbound, onDropped } = deps;
  switch (backend) {
    case 'noop':
      return noopBackend;
    case 'localdb': {
      const { path, retention_days } = config as BackendConfig<'localdb'>;
      const file = deps.localdbPath(path);
      const { openLocaldb } = await import('./localdb/localdb.ts');
      return openLocaldb({ path: file, retentionDays: retention_days, clock });
    }
    case 'statsd': {
      const { openStatsd } = await import('./statsd.ts');
      return openStatsd(config as BackendConfig<'statsd'>, {
        clock,
        logger,
        outbound,
        onFailed: () => onDropped(1),
      });
    }
    case 'http': {
      const { openHttpIngest } = await import('./http-ingest.ts');
      return openHttpIngest(config as BackendConfig<'http'>, deps);
    }
    case 'serverdb':
      return openServerdb(config as BackendConfig<'serverdb'>, deps);
    default:
      return backend satisfies never;
  }
}

/** Opens a `serverdb` as `openBackend` does; `connect` checks whether it can be reached. `NoDatabaseError` without a URL. */
export async function openServerdb(
  { url, retention_days }: BackendConfig<'serverdb'>,
  { clock, logger, outbound, stateUrl }: Pick<OpenBackendDeps, 'clock' | 'logger' | 'outbound' | 'stateUrl'>,
) {
  const database = url ?? stateUrl;
  if (database === null) throw new NoDatabaseError();
  const { Serverdb } = await import('./serverdb/serverdb.ts');
  // The server's own database is where whoever runs the server has put it.
  const socket = url === undefined ? undefined : outbound.socket;
  return new Serverdb({
    url: database,
    retentionDays: retention_days,
    clock,
    logger,
    ...(socket && { socket }),
  });
}

/** Stores nothing. */
export const noopBackend: MetricsBackend = {
  durable: false,
  write: () => Promise.resolve(),
  stored: null,
  close: () => Promise.resolve(),
};
