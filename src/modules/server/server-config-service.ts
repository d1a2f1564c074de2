import type { Cipher } from '../../base/cipher.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { requireVersion } from '../../http/etag.ts';
import type { Store } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { SECRET_MASK } from '../definitions/sealed-config.ts';
import { type GivenSettings, isLocked } from './given-settings.ts';
import { type SettingChanges, settingChanges } from './server-config-changes.ts';
import { replaceServerConfig, type StoredSettings, selectServerConfig } from './server-config-store.ts';
import { effectiveSetting, effectiveSettings, withChanges } from './server-config-values.ts';
import { SERVER_SETTINGS, SETTING_KEYS, type ServerSettings, type SettingKey } from './server-setting.ts';

export interface ServerConfigsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly cipher: Cipher;
  readonly given: GivenSettings;
}

export type ServerConfigs = ReturnType<typeof createServerConfigs>;

/** The settings that can be changed while the servers run. The environment and the file win over stored values. */
export function createServerConfigs({ store, clock, cipher, given }: ServerConfigsDeps) {
  /** For people: secrets masked. */
  async function current() {
    const { stored, version } = await selectServerConfig(store.read);
    return { settings: shown(stored), version };
  }

  /** The values in effect, with secrets in clear, for internal use. Read from the store at each call. */
  async function effective(): Promise<ServerSettings> {
    return effectiveSettings(cipher, given, (await selectServerConfig(store.read)).stored);
  }

  /** One key of `effective`; does not read the store if the environment sets it. */
  async function value<K extends SettingKey>(key: K): Promise<ServerSettings[K]> {
    const { [key]: named } = given;
    if (named !== undefined) return named;
    const { stored } = await selectServerConfig(store.read);
    return effectiveSetting(cipher, given, stored, key).value as ServerSettings[K];
  }

  /**
   * Keys that are left out keep their value; null resets to the default. Values already in effect make no new version.
   * `PRECONDITION_FAILED` if it is not at `expected`, `CONFLICT` for two at once, `VALIDATION_ERROR` as `settingChanges`.
   */
  async function change(
    input: Readonly<Record<string, unknown>>,
    expected: number | null,
    actor: Actor,
  ): ReturnType<typeof current> {
    return store.write(async (tx) => {
      const { stored: before, version } = await selectServerConfig(tx);
      requireVersion(expected, version);
      const known = effectiveSettings(cipher, given, before);
      const changes = settingChanges(input, known, given);
      if (changes.size === 0) return { settings: shown(before), version };
      const after = withChanges(cipher, before, changes);
      const now = clock.now();
      if (!(await replaceServerConfig(tx, after, version, now)))
        throw new AppError('CONFLICT', 'Somebody else has just changed the configuration: try again');
      const entry = { action: 'server_config.update', resourceType: 'server_config', resourceId: null };
      await insertAudit(tx, actor, { ...entry, diff: { settings: changed(known, changes) } }, now);
      return { settings: shown(after), version: version + 1 };
    });
  }

  function shown(stored: StoredSettings) {
    return Object.fromEntries(
      SETTING_KEYS.map((key) => {
        const { value, source } = effectiveSetting(cipher, given, stored, key);
        const { fallback, secret, description } = SERVER_SETTINGS[key];
        const record = { value: masked(key, value), source, locked: isLocked(given, key) };
        return [key, { ...record, default: fallback, secret, description }];
      }),
    );
  }

  return { current, effective, value, change };
}

/** A list, because the audit log masks values of names that look like secrets, and `ai.max_tokens` is not one. */
function changed(before: ServerSettings, changes: SettingChanges): readonly Record<string, unknown>[] {
  return [...changes].map(([name, value]) => ({
    name,
    before: masked(name, before[name]),
    after: masked(name, value === undefined ? SERVER_SETTINGS[name].fallback : value),
  }));
}

function masked(key: SettingKey, value: unknown): unknown {
  return SERVER_SETTINGS[key].secret && value !== null ? SECRET_MASK : value;
}
