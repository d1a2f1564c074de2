import type { Cipher } from '../../base/cipher.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError, messageOf, validationError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Outbound } from '../../base/outbound/outbound.ts';
import { outboundErrorIn } from '../../base/outbound/outbound-error.ts';
import type { ServerMeter } from '../../base/server-meter.ts';
import type { MetricsBackend } from '../../metering/backend.ts';
import type { BackendConfig, MetricsBackendType } from '../../metering/backend-config.ts';
import { ForeignFileError } from '../../metering/localdb/localdb-file.ts';
import {
  type BackendSettings,
  NoDatabaseError,
  openBackend,
  openServerdb,
} from '../../metering/open-backend.ts';
import type { Store } from '../../store/store.ts';
import { localdbPath, type MetricsPlace } from './localdb-path.ts';
import {
  backendOf,
  type MetricsConfigRow,
  type MetricsConfigSettings,
  openSettings,
} from './metrics-config.ts';
import { selectEnabledConfigs } from './metrics-config-store.ts';

export const METRICS_CONFIGS_MAX = 20;
const REOPEN_AFTER_MS = 30_000;
/** Open files that tasks name and no configuration does; each has a thread. */
const TASK_FILES_MAX = 4;

export interface MetricsBackendsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  readonly cipher: Cipher;
  readonly meter: ServerMeter;
  readonly place: MetricsPlace;
  readonly outbound: Outbound;
  /** The URL of the state store if that is a database server, else null. */
  readonly stateUrl: string | null;
}

const DURABLE_TYPES: ReadonlySet<MetricsBackendType> = new Set(['localdb', 'serverdb']);

/** Used for a backend that cannot be opened now. */
const awayBackend: MetricsBackend = {
  durable: true,
  stored: null,
  write: () => Promise.reject(new AppError('NOT_READY', 'A metrics backend cannot be opened')),
  close: () => Promise.resolve(),
};

/** An open, enabled backend. */
export interface OpenedBackend {
  readonly type: MetricsBackendType;
  readonly backend: MetricsBackend;
}

interface Opened {
  readonly version: number;
  /** Of a `localdb`: its file. */
  readonly file: string | null;
  /** null if it could not be opened; retried after `retryAt`. */
  readonly backend: Promise<MetricsBackend | null>;
  readonly retryAt: number;
}

/**
 * The open, enabled backends. Every control plane reads the configuration again each time: changed backends are reopened,
 * removed ones closed. A durable backend that cannot be opened refuses its points, so that none are acknowledged without being
 * stored: they wait at the executors, which delays no run. Other backends are left out.
 */
export class MetricsBackends {
  readonly #deps: MetricsBackendsDeps;
  readonly #opened = new Map<number, Opened>();
  readonly #taskFiles = new Map<string, Opened>();
  #closed = false;

  constructor(deps: MetricsBackendsDeps) {
    this.#deps = deps;
  }

  async current(): Promise<OpenedBackend[]> {
    const rows = await selectEnabledConfigs(this.#deps.store.read, METRICS_CONFIGS_MAX);
    if (this.#closed) throw new AppError('NOT_READY', 'The server is stopping');
    const wanted = new Map(rows.map((row) => [row.id, row]));
    for (const [id, { version, backend }] of this.#opened) {
      if (wanted.get(id)?.version === version) continue;
      this.#opened.delete(id);
      this.#closeOne(backend);
    }
    const opened = rows.map(async (row) => ({ type: backendOf(row), backend: await this.#backendOf(row) }));
    return (await Promise.all(opened)).flatMap(({ type, backend }) => {
      if (backend !== null) return [{ type, backend }];
      return DURABLE_TYPES.has(type) ? [{ type, backend: awayBackend }] : [];
    });
  }

  /**
   * The file that a task's own `metrics` section names: that of an enabled configuration, or one opened for tasks. null if it
   * is not allowed or cannot be opened, which is logged.
   */
  async taskFile(config: BackendConfig<'localdb'>): Promise<MetricsBackend | null> {
    await this.current();
    let file: string;
    try {
      file = localdbPath(this.#deps.place, config.path);
    } catch (error) {
      this.#deps.logger.warn(
        { reason: messageOf(error) },
        'a task names a metrics file that it may not have',
      );
      return null;
    }
    const configured = [...this.#opened.values()].find((one) => one.file === file);
    if (configured !== undefined) return configured.backend;
    const known = this.#taskFiles.get(file);
    const now = this.#deps.clock.now();
    this.#taskFiles.delete(file);
    const failed = known !== undefined && now >= known.retryAt && (await known.backend) === null;
    const opened =
      known === undefined || failed ? this.#open({ backend: 'localdb', config }, 0, 'a task') : known;
    this.#taskFiles.set(file, opened);
    const [oldest] = this.#taskFiles;
    if (this.#taskFiles.size > TASK_FILES_MAX && oldest !== undefined) {
      this.#taskFiles.delete(oldest[0]);
      this.#closeOne(oldest[1].backend);
    }
    return opened.backend;
  }

  /** Checks the address of a backend, and opens and closes a durable one, so that a wrong configuration fails at once with `VALIDATION_ERROR`. */
  async probe(settings: MetricsConfigSettings): Promise<void> {
    try {
      this.#checkAddress(settings);
      if (settings.backend === 'localdb') await (await this.#start(settings)).close();
      if (settings.backend === 'serverdb') await this.#probeServerdb(settings);
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      const { path, message } = problemOf(settings, cause);
      const problem = validationError([{ path, message }]);
      throw new AppError('VALIDATION_ERROR', problem.message, { details: problem.details ?? [], cause });
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const open = [...this.#opened.values(), ...this.#taskFiles.values()];
    this.#opened.clear();
    this.#taskFiles.clear();
    await Promise.all(open.map(async ({ backend }) => (await backend)?.close()));
  }

  /** What can be said without a look-up; the rest is said when it connects. */
  #checkAddress({ backend, config }: MetricsConfigSettings): void {
    const { outbound } = this.#deps;
    if (backend === 'http') outbound.checkUrl((config as BackendConfig<'http'>).url);
    if (backend !== 'statsd') return;
    const { host, port } = config as BackendConfig<'statsd'>;
    outbound.checkUrl(`http://${host.includes(':') ? `[${host}]` : host}:${port}`);
  }

  async #probeServerdb({ config }: MetricsConfigSettings): Promise<void> {
    const backend = await openServerdb(config as BackendConfig<'serverdb'>, this.#deps);
    try {
      await backend.connect();
    } finally {
      await backend.close();
    }
  }

  async #backendOf(row: MetricsConfigRow): Promise<MetricsBackend | null> {
    const known = this.#opened.get(row.id);
    if (known !== undefined) {
      const backend = await known.backend;
      if (backend !== null || this.#deps.clock.now() < known.retryAt) return backend;
      // Another call may have seen it first.
      const newer = this.#opened.get(row.id);
      if (newer !== known) return newer?.backend ?? null;
    }
    const settings = openSettingsOrNull(this.#deps, row);
    const opened =
      settings === null
        ? { version: row.version, file: null, backend: Promise.resolve(null), retryAt: this.#retryAt() }
        : this.#open(settings, row.version, row.id);
    this.#opened.set(row.id, opened);
    return opened.backend;
  }

  #open(settings: BackendSettings, version: number, of: number | string): Opened {
    const backend = this.#start(settings).catch((error: unknown) => {
      const fields = { err: error, metrics_config: of };
      this.#deps.logger.warn(fields, `a metrics backend could not be opened: ${messageOf(error)}`);
      return null;
    });
    return { version, file: this.#fileOf(settings), backend, retryAt: this.#retryAt() };
  }

  #fileOf({ backend, config }: BackendSettings): string | null {
    if (backend !== 'localdb') return null;
    try {
      return localdbPath(this.#deps.place, (config as BackendConfig<'localdb'>).path);
    } catch {
      return null;
    }
  }

  async #start(settings: BackendSettings): Promise<MetricsBackend> {
    const { meter, place } = this.#deps;
    return openBackend(settings, {
      ...this.#deps,
      onDropped: (points) => meter.count('metric_points_dropped', points),
      localdbPath: (path) => localdbPath(place, path),
    });
  }

  #retryAt(): number {
    return this.#deps.clock.now() + REOPEN_AFTER_MS;
  }

  #closeOne(backend: Promise<MetricsBackend | null>): void {
    backend
      .then((opened) => opened?.close())
      .catch((error: unknown) => {
        this.#deps.logger.warn({ err: error }, 'a metrics backend could not be closed');
      });
  }
}

/** null if the secrets do not decrypt, which is logged. */
function openSettingsOrNull(
  { cipher, logger }: Pick<MetricsBackendsDeps, 'cipher' | 'logger'>,
  row: MetricsConfigRow,
): MetricsConfigSettings | null {
  try {
    return openSettings(cipher, row);
  } catch (error) {
    logger.warn({ err: error, metrics_config: row.id }, 'the secrets of a metrics backend cannot be read');
    return null;
  }
}

function problemOf({ backend, config }: MetricsConfigSettings, cause: unknown) {
  if (backend === 'localdb') {
    const why =
      cause instanceof ForeignFileError
        ? 'is not a metrics database: choose a new file'
        : 'cannot be opened: the server needs write access';
    return { path: 'config.path', message: `The file "${String(config['path'])}" ${why}` };
  }
  const path = backend === 'statsd' ? 'config.host' : 'config.url';
  const refusal = outboundErrorIn(cause);
  if (refusal !== null) return { path, message: refusal.message };
  if (cause instanceof NoDatabaseError)
    return {
      path,
      message: '"config.url" is needed: the state of this server is not in a PostgreSQL database',
    };
  const { code } = cause as { code?: unknown };
  return {
    path,
    message: `The database of "config.url" cannot be used${reasonOf(code)}: the server must reach it and be allowed to create tables`,
  };
}

/** Explanations of PostgreSQL's SQLSTATE that help to correct a URL. */
function reasonOf(code: unknown): string {
  const reasons: Readonly<Record<string, string>> = {
    '28P01': ' (its password is wrong)',
    '28000': ' (this user is not allowed in)',
    '3D000': ' (there is no such database)',
    '42501': ' (the user lacks the privilege)',
    ECONNREFUSED: ' (nothing listens there)',
    ENOTFOUND: ' (there is no such host)',
  };
  return reasons[String(code)] ?? '';
}
