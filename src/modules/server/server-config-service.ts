import type { Cipher } from '../../base/cipher.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError, type Problem, validationError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { schemaWords } from '../../base/text/schema-words.ts';
import { didYouMean } from '../../base/text/suggest-name.ts';
import { type ExpectedVersions, requireVersion } from '../../http/etag.ts';
import type { Store } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { SECRET_MASK } from '../definitions/sealed-config.ts';
import { type GivenSettings, isLocked } from './given-settings.ts';
import { replaceServerConfig, type StoredSettings, selectServerConfig } from './server-config-store.ts';
import { effectiveSetting, effectiveSettings, withChanges } from './server-config-values.ts';
import {
  isSettingKey,
  SERVER_SETTINGS,
  SETTING_KEYS,
  type ServerSettings,
  type SettingKey,
} from './server-setting.ts';

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
   * Omitted keys keep their value; null resets to the default. Values already in effect make no new version.
   * `PRECONDITION_FAILED` if it is not at `expected`, `CONFLICT` for two at once, `VALIDATION_ERROR` as `settingChanges`.
   */
  async function change(
    input: Readonly<Record<string, unknown>>,
    expected: ExpectedVersions,
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

/** New values by key; undefined resets a key to its default. */
type SettingChanges = ReadonlyMap<SettingKey, unknown>;

const KEY_CHARS_SHOWN = 100;

/**
 * The changes in `input`, which has a value for each key or, like the answer of a GET, a map with `value`. A value already in
 * effect is no change; null resets to the default. `VALIDATION_ERROR` with every problem: unknown keys, violations of a schema,
 * keys set by the environment, a new address without the key for it.
 */
function settingChanges(
  input: Readonly<Record<string, unknown>>,
  now: ServerSettings,
  given: GivenSettings,
): SettingChanges {
  const problems: Problem[] = [];
  const changes = new Map<SettingKey, unknown>();
  for (const [name, entry] of Object.entries(input)) {
    if (!isSettingKey(name)) {
      problems.push(unknownKey(name));
      continue;
    }
    const change = changeOf(name, isRecord(entry) ? entry['value'] : entry, now, given);
    if (change === null) continue;
    if ('problem' in change) problems.push({ path: `settings.${name}`, message: change.problem });
    else changes.set(name, change.value);
  }
  problems.push(...keyGoesElsewhere(input, now, changes));
  if (problems.length > 0) throw validationError(problems);
  return changes;
}

type Change = { readonly value: unknown } | { readonly problem: string } | null;

function changeOf(key: SettingKey, value: unknown, now: ServerSettings, given: GivenSettings): Change {
  const { schema, fallback, secret } = SERVER_SETTINGS[key];
  if (secret && value === SECRET_MASK) {
    if (now[key] !== null) return null;
    return { problem: `"${key}" is "${SECRET_MASK}", but no value is stored` };
  }
  if (value === undefined) return { problem: `"${key}" has no value: set one, or null for the default` };
  const parsed = value === null ? { success: true as const, data: fallback } : schema.safeParse(value);
  if (!parsed.success) {
    const given = secret || typeof value === 'object' ? null : (JSON.stringify(value)?.slice(0, 100) ?? null);
    const words = parsed.error.issues.map((issue) => `"${key}"${schemaWords(issue, given)}`);
    return { problem: words.join('; ') };
  }
  if (parsed.data === now[key]) return null;
  if (isLocked(given, key))
    return { problem: `"${key}" is set by the environment of the server: change it there` };
  return { value: value === null ? undefined : parsed.data };
}

/** A new address needs the key again: otherwise whoever may change the address could read the key there. */
function keyGoesElsewhere(
  input: Readonly<Record<string, unknown>>,
  now: ServerSettings,
  changes: SettingChanges,
): Problem[] {
  const moved = (['ai.base_url', 'ai.provider'] as const).filter((key) => changes.has(key));
  if (moved.length === 0 || now['ai.api_key'] === null) return [];
  const entry = input['ai.api_key'];
  const key = isRecord(entry) ? entry['value'] : entry;
  if (key !== undefined && key !== SECRET_MASK) return [];
  const names = moved.map((name) => `"${name}"`).join(' and ');
  const message = `"ai.api_key" must be given again, because ${names} changed`;
  return [{ path: 'settings.ai.api_key', message }];
}

function unknownKey(name: string): Problem {
  const shown = name.slice(0, KEY_CHARS_SHOWN);
  return {
    path: `settings.${shown}`,
    message: `Unknown setting "${shown}"${didYouMean(name, SETTING_KEYS)}`,
  };
}
