import { type Problem, validationError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { didYouMean } from '../../language/yaml/suggest-name.ts';
import { SECRET_MASK } from '../definitions/sealed-config.ts';
import { type GivenSettings, isLocked } from './given-settings.ts';
import {
  isSettingKey,
  SERVER_SETTINGS,
  SETTING_KEYS,
  type ServerSettings,
  type SettingKey,
} from './server-setting.ts';

/** New values by key; undefined resets a key to its default. */
export type SettingChanges = ReadonlyMap<SettingKey, unknown>;

const KEY_CHARS_SHOWN = 100;

/**
 * The changes in `input`, which has a value for each key or, like the answer of a GET, a map with `value`. A value already in
 * effect is no change; null resets to the default. `VALIDATION_ERROR` with every problem: unknown keys, violations of a schema,
 * keys set by the environment, a new address without the key for it.
 */
export function settingChanges(
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
    const messages = parsed.error.issues.map(({ message }) => message).join('; ');
    return { problem: `"${key}": ${messages}` };
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
