import type { Db, Tx } from '../../store/store.ts';
import { replaceConfigRow, selectConfigRow } from './config-row-store.ts';

/** The key of the row; other rows of the table hold other things. */
export const SERVER_SETTINGS_KEY = 'settings';

/** The stored settings by key: plain values, and the ciphertexts of secrets. */
export interface StoredSettings {
  readonly values: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
}

export interface VersionedSettings {
  readonly stored: StoredSettings;
  /** The version of the whole configuration; 0 before its first change. */
  readonly version: number;
}

export async function selectServerConfig(db: Db): Promise<VersionedSettings> {
  const row = await selectConfigRow(db, SERVER_SETTINGS_KEY);
  if (row === null) return { stored: { values: {}, secrets: {} }, version: 0 };
  return { stored: row.value as StoredSettings, version: row.version };
}

/** False if it is no longer at `before`. */
export async function replaceServerConfig(
  tx: Tx,
  stored: StoredSettings,
  before: number,
  now: number,
): Promise<boolean> {
  return replaceConfigRow(tx, SERVER_SETTINGS_KEY, stored, { before, now });
}
