import type { Cipher } from '../../base/cipher.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError, requireFound } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import type { ExpectedVersions } from '../../http/etag.ts';
import type { MetricsBackendType } from '../../metering/backend-config.ts';
import type { Store, Tx } from '../../store/store.ts';
import { type Actor, systemActor } from '../audit/audit.ts';
import { createAudit } from '../audit/audit-service.ts';
import { recordChanges } from '../definitions/record-changes.ts';
import { METRICS_CONFIGS_MAX } from './metrics-backends.ts';
import {
  type MetricsConfigRow,
  type MetricsConfigSettings,
  maskedSettings,
  openSettings,
  requireConfig,
  sealMetricsConfig,
} from './metrics-config.ts';
import {
  countMetricsConfigs,
  deleteMetricsConfig,
  hasHadMetricsConfigs,
  insertMetricsConfig,
  lockMetricsConfig,
  selectMetricsConfig,
  takeDefault,
  updateMetricsConfig,
  updateSealedMetricsConfig,
} from './metrics-config-store.ts';

export interface MetricsConfigsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly cipher: Cipher;
  /** Checks that a backend can be used; `VALIDATION_ERROR` if it cannot. */
  readonly probe: (settings: MetricsConfigSettings) => Promise<void>;
}

export interface MetricsConfigInput {
  readonly name?: string | undefined;
  readonly backend?: MetricsBackendType | undefined;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  readonly enabled?: boolean | undefined;
}

export interface DefaultBackend {
  /** The path of the default `localdb` backend, relative to the folder for metrics. */
  readonly path: string;
  /** The kind of the server's state store: with a database, the default is a `serverdb` there and the `localdb` one is disabled. */
  readonly state: 'localdb' | 'serverdb';
}

export type MetricsConfigs = ReturnType<typeof createMetricsConfigs>;

/** The configurations of the server's metrics backends. */
export function createMetricsConfigs({ store, clock, cipher, probe }: MetricsConfigsDeps) {
  const audit = createAudit(clock);
  const { change } = recordChanges(store, 'metrics backend', lockMetricsConfig);

  /** The name defaults to the backend. */
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

  /** Omitted keys keep their value; a new `config` replaces the old one completely. */
  async function update(
    id: number,
    input: MetricsConfigInput,
    expected: ExpectedVersions,
    actor: Actor,
  ): Promise<MetricsConfigRow> {
    const seen = requireFound(await selectMetricsConfig(store.read, id), 'metrics backend', id);
    const settings = changed(openSettings(cipher, seen), input);
    await probe(settings);
    return change(id, expected, async (tx, before) => {
      if (before.version !== seen.version)
        throw new AppError('CONFLICT', `The metrics backend "${id}" is being changed right now: try again`);
      const known = openSettings(cipher, before);
      if (canonicalJson(known) === canonicalJson(settings)) return before;
      const sealed = sealMetricsConfig(cipher, id, settings);
      const row = await updateMetricsConfig(tx, before, settings, sealed, clock.now());
      const diff = { before: maskedSettings(known), after: maskedSettings(settings) };
      await audit(tx, actor, 'metrics_config.update', id, diff);
      return row;
    });
  }

  async function remove(id: number, expected: ExpectedVersions, actor: Actor): Promise<void> {
    await change(id, expected, async (tx, row) => {
      await deleteMetricsConfig(tx, id);
      const before = maskedSettings(openSettings(cipher, row));
      await audit(tx, actor, 'metrics_config.delete', id, { before });
    });
  }

  /**
   * Creates the first backends of a new server. A deleted one does not come back, and of several servers that start at once one
   * creates them. Returns whether it was this one.
   */
  async function ensureDefault({ path, state }: DefaultBackend): Promise<boolean> {
    const local = { backend: 'localdb', config: requireConfig('localdb', { path }) } as const;
    const server = { backend: 'serverdb', config: requireConfig('serverdb', {}) } as const;
    return store.write(async (tx) => {
      if (!(await takeDefault(tx, clock.now())) || (await hasHadMetricsConfigs(tx))) return false;
      if (state === 'serverdb') await insert(tx, { name: 'default', ...server, enabled: true }, systemActor);
      const name = state === 'serverdb' ? 'default localdb' : 'default';
      await insert(tx, { name, ...local, enabled: state === 'localdb' }, systemActor);
      return true;
    });
  }

  async function insert(tx: Tx, settings: MetricsConfigSettings, actor: Actor): Promise<MetricsConfigRow> {
    const { id } = await insertMetricsConfig(tx, settings, clock.now());
    const row = await updateSealedMetricsConfig(tx, id, sealMetricsConfig(cipher, id, settings));
    await audit(tx, actor, 'metrics_config.create', id, { after: maskedSettings(settings) });
    return row;
  }

  return { create, update, remove, ensureDefault };
}

function changed(before: MetricsConfigSettings, input: MetricsConfigInput): MetricsConfigSettings {
  const backend = input.backend ?? before.backend;
  const stored = backend === before.backend ? before.config : null;
  return {
    name: input.name ?? before.name,
    backend,
    config: requireConfig(backend, input.config ?? stored ?? {}, stored),
    enabled: input.enabled ?? before.enabled,
  };
}
