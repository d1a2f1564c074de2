import type { Clock } from '../../base/clock.ts';
import { AppError, messageOf, validationError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { MetricsBackend } from '../../metering/backend.ts';
import { openLocaldb } from '../../metering/localdb.ts';
import { ForeignFileError } from '../../metering/localdb-file.ts';
import { noopBackend } from '../../metering/noop.ts';
import type { Store } from '../../store/store.ts';
import { localdbPath, type MetricsPlace } from './localdb-path.ts';
import {
  type LocaldbConfig,
  type MetricsConfigRow,
  type MetricsConfigSettings,
  settingsOf,
} from './metrics-config.ts';
import { selectEnabledConfigs } from './metrics-config-store.ts';

export const METRICS_CONFIGS_MAX = 20;
const REOPEN_AFTER_MS = 30_000;

export interface MetricsBackendsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly place: MetricsPlace;
}

interface Opened {
  readonly version: number;
  /** null where it could not be opened; tried again after `retryAt`. */
  readonly backend: MetricsBackend | null;
  readonly retryAt: number;
}

/**
 * The enabled backends, open. Every control plane follows the configuration by reading it again each time: a changed one is
 * reopened, a removed one closed. One that cannot be opened is left out, so that it holds up no run.
 */
export class MetricsBackends {
  readonly #deps: MetricsBackendsDeps;
  readonly #opened = new Map<number, Opened>();
  #closed = false;

  constructor(deps: MetricsBackendsDeps) {
    this.#deps = deps;
  }

  async current(): Promise<MetricsBackend[]> {
    const rows = await selectEnabledConfigs(this.#deps.store.read, METRICS_CONFIGS_MAX);
    if (this.#closed) throw new AppError('NOT_READY', 'The server is stopping');
    const wanted = new Map(rows.map((row) => [row.id, row]));
    for (const [id, { version, backend }] of this.#opened) {
      if (wanted.get(id)?.version === version) continue;
      this.#opened.delete(id);
      this.#closeOne(backend);
    }
    return rows.flatMap((row) => this.#backendOf(row) ?? []);
  }

  /** Opens and closes a backend, so that whoever configures it learns what is wrong: `VALIDATION_ERROR`. */
  async probe(settings: MetricsConfigSettings): Promise<void> {
    const { path } = settings.config as Partial<LocaldbConfig>;
    try {
      await openBackend(settings, this.#deps).close();
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      const why =
        cause instanceof ForeignFileError
          ? 'is not a metrics database: name a new one'
          : 'cannot be opened: the server must be able to write there';
      const problem = validationError([{ path: 'config.path', message: `The file "${path}" ${why}` }]);
      throw new AppError('VALIDATION_ERROR', problem.message, { details: problem.details ?? [], cause });
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const open = [...this.#opened.values()];
    this.#opened.clear();
    await Promise.all(open.map(({ backend }) => backend?.close()));
  }

  #backendOf(row: MetricsConfigRow): MetricsBackend | null {
    const { clock, logger } = this.#deps;
    const known = this.#opened.get(row.id);
    if (known !== undefined && (known.backend !== null || clock.now() < known.retryAt)) return known.backend;
    let backend: MetricsBackend | null = null;
    try {
      backend = openBackend(settingsOf(row), this.#deps);
    } catch (error) {
      const fields = { err: error, metrics_config_id: row.id };
      logger.warn(fields, `a metrics backend could not be opened: ${messageOf(error)}`);
    }
    const retryAt = clock.now() + REOPEN_AFTER_MS;
    this.#opened.set(row.id, { version: row.version, backend, retryAt });
    return backend;
  }

  #closeOne(backend: MetricsBackend | null): void {
    backend?.close().catch((error: unknown) => {
      this.#deps.logger.warn({ err: error }, 'a metrics backend could not be closed');
    });
  }
}

function openBackend(settings: MetricsConfigSettings, deps: MetricsBackendsDeps): MetricsBackend {
  if (settings.backend === 'noop') return noopBackend;
  if (settings.backend !== 'localdb')
    throw new AppError(
      'VALIDATION_ERROR',
      `The metrics backend "${settings.backend}" is not supported by this version`,
    );
  const { path, retention_days } = settings.config as LocaldbConfig;
  return openLocaldb({
    path: localdbPath(deps.place, path),
    retentionDays: retention_days,
    clock: deps.clock,
  });
}
