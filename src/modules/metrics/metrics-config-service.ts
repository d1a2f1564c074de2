import type { Clock } from '../../base/clock.ts';
import { AppError, notFound } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import { requireVersion } from '../../http/etag.ts';
import type { Store, Tx } from '../../store/store.ts';
import { type Actor, systemActor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { METRICS_CONFIGS_MAX } from './metrics-backends.ts';
import {
  type MetricsBackendType,
  type MetricsConfigRow,
  type MetricsConfigSettings,
  requireConfig,
  settingsOf,
} from './metrics-config.ts';
import {
  countMetricsConfigs,
  deleteMetricsConfig,
  hasHadMetricsConfigs,
  insertMetricsConfig,
  selectMetricsConfig,
  updateMetricsConfig,
} from './metrics-config-store.ts';

export interface MetricsConfigsDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** Finds out whether a backend can be used; `VALIDATION_ERROR` where it cannot. */
  readonly probe: (settings: MetricsConfigSettings) => Promise<void>;
}

export interface MetricsConfigInput {
  readonly name?: string | undefined;
  readonly backend?: MetricsBackendType | undefined;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  readonly enabled?: boolean | undefined;
}

export interface DefaultBackend {
  /** Of the default `localdb` backend, relative to the folder for metrics. */
  readonly path: string;
  readonly enabled: boolean;
}

export type MetricsConfigs = ReturnType<typeof createMetricsConfigs>;

/** The server's metrics backends: which there are, and where each writes. */
export function createMetricsConfigs({ store, clock, probe }: MetricsConfigsDeps) {
  /** Without a name it is called by its backend. */
  async function create(
    input: MetricsConfigInput & { readonly backend: MetricsBackendType },
    actor: Actor,
  ): Promise<MetricsConfigRow> {
    const { backend } = input;
    const config = requireConfig(backend, input.config ?? {});
    const settings = { name: input.name ?? backend, backend, config, enabled: input.enabled ?? true };
    await probe(settings);
    return store.write(async (tx) => {
      if ((await countMetricsConfigs(tx)) >= METRICS_CONFIGS_MAX)
        throw new AppError(
          'CONFLICT',
          `There are ${METRICS_CONFIGS_MAX} metrics backends already: delete one first`,
        );
      return insert(tx, settings, actor);
    });
  }

  /** Keys that are left out keep their value; a `config` that is given replaces the old one whole. */
  async function update(
    id: number,
    input: MetricsConfigInput,
    expected: number | null,
    actor: Actor,
  ): Promise<MetricsConfigRow> {
    const seen = await selectMetricsConfig(store.read, id);
    if (seen === null) throw notFound('metrics backend', id);
    const settings = changed(settingsOf(seen), input);
    await probe(settings);
    return store.write(async (tx) => {
      const before = await selectMetricsConfig(tx, id);
      if (before === null) throw notFound('metrics backend', id);
      requireVersion(expected, before.version);
      if (before.version !== seen.version)
        throw new AppError('CONFLICT', `The metrics backend "${id}" is being changed right now: try again`);
      if (canonicalJson(settingsOf(before)) === canonicalJson(settings)) return before;
      const row = await updateMetricsConfig(tx, before, settings, clock.now());
      await audit(tx, actor, 'update', id, { before: settingsOf(before), after: settings });
      return row;
    });
  }

  async function remove(id: number, expected: number | null, actor: Actor): Promise<void> {
    await store.write(async (tx) => {
      const row = await selectMetricsConfig(tx, id);
      if (row === null) throw notFound('metrics backend', id);
      requireVersion(expected, row.version);
      await deleteMetricsConfig(tx, id);
      await audit(tx, actor, 'delete', id, { before: settingsOf(row) });
    });
  }

  /** Gives a new server its first backend; one that was deleted does not come back. Returns whether it made one. */
  async function ensureDefault({ path, enabled }: DefaultBackend): Promise<boolean> {
    const config = requireConfig('localdb', { path });
    return store.write(async (tx) => {
      if (await hasHadMetricsConfigs(tx)) return false;
      await insert(tx, { name: 'default', backend: 'localdb', config, enabled }, systemActor);
      return true;
    });
  }

  async function insert(tx: Tx, settings: MetricsConfigSettings, actor: Actor): Promise<MetricsConfigRow> {
    const row = await insertMetricsConfig(tx, settings, clock.now());
    await audit(tx, actor, 'create', row.id, { after: settings });
    return row;
  }

  async function audit(tx: Tx, actor: Actor, verb: string, id: number, diff: object): Promise<void> {
    const entry = {
      action: `metrics_config.${verb}`,
      resourceType: 'metrics_config',
      resourceId: id,
      diff: { ...diff },
    };
    await insertAudit(tx, actor, entry, clock.now());
  }

  return { create, update, remove, ensureDefault };
}

function changed(before: MetricsConfigSettings, input: MetricsConfigInput): MetricsConfigSettings {
  const backend = input.backend ?? before.backend;
  const config = input.config ?? (backend === before.backend ? before.config : {});
  return {
    name: input.name ?? before.name,
    backend,
    config: requireConfig(backend, config),
    enabled: input.enabled ?? before.enabled,
  };
}
