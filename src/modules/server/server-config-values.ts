import type { Cipher } from '../../base/cipher.ts';
import { type GivenSettings, isLocked } from './given-settings.ts';
import type { StoredSettings } from './server-config-store.ts';
import {
  SERVER_SETTINGS,
  SETTING_KEYS,
  type ServerSettings,
  type SettingKey,
  type SettingSource,
} from './server-setting.ts';

/** A value in effect, in clear, and its source. */
export interface EffectiveSetting {
  readonly value: unknown;
  readonly source: SettingSource;
}

/** The value in effect for a key: set outside, else stored, else the default. */
export function effectiveSetting(
  cipher: Cipher,
  given: GivenSettings,
  stored: StoredSettings,
  key: SettingKey,
): EffectiveSetting {
  const { schema, fallback } = SERVER_SETTINGS[key];
  const named = given[key];
  if (named !== undefined) return { value: named, source: 'environment' };
  if (isLocked(given, key)) return { value: fallback, source: 'default' };
  const kept = schema.safeParse(openStored(cipher, stored, key));
  // A value stored by another version of the server that this one refuses is ignored.
  return kept.success && kept.data !== undefined
    ? { value: kept.data, source: 'stored' }
    : { value: fallback, source: 'default' };
}

export function effectiveSettings(
  cipher: Cipher,
  given: GivenSettings,
  stored: StoredSettings,
): ServerSettings {
  const pairs = SETTING_KEYS.map((key) => [key, effectiveSetting(cipher, given, stored, key).value]);
  return Object.fromEntries(pairs) as ServerSettings;
}

/** `stored` with these values instead; undefined removes a key. Secrets are encrypted for their key, `server_config/<key>`. */
export function withChanges(
  cipher: Cipher,
  stored: StoredSettings,
  changes: ReadonlyMap<SettingKey, unknown>,
): StoredSettings {
  const values = new Map(Object.entries(stored.values));
  const secrets = new Map(Object.entries(stored.secrets));
  for (const [key, value] of changes) {
    values.delete(key);
    secrets.delete(key);
    if (value === undefined) continue;
    if (SERVER_SETTINGS[key].secret)
      secrets.set(key, cipher.encrypt(JSON.stringify(value), serverSettingContext(key)));
    else values.set(key, value);
  }
  return { values: Object.fromEntries(values), secrets: Object.fromEntries(secrets) };
}

function openStored(cipher: Cipher, stored: StoredSettings, key: SettingKey): unknown {
  if (!SERVER_SETTINGS[key].secret) return stored.values[key];
  const sealed = stored.secrets[key];
  return sealed === undefined
    ? undefined
    : (JSON.parse(cipher.decrypt(sealed, serverSettingContext(key))) as unknown);
}

/** What the secret of a setting is encrypted for. */
export function serverSettingContext(key: string): string {
  return `server_config/${key}`;
}
