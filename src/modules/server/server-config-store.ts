import type { Db, Tx } from '../../store/store.ts';
import { replaceConfigRow, selectConfigRow } from './config-row-store.ts';

/** Of the row; others of the table hold other things. */
export const SERVER_SETTINGS_KEY = 'settings';

/** What is stored of the settings, by key: values that may be read, and the ciphertext of those that may not. */
export interface StoredSettings {
  readonly values: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
}

export interface VersionedSettings {
  readonly stored: StoredSettings;
  /** Of the whole configuration; 0 before it was first changed. */
  readonly version: number;
}

export async function selectServerConfig(db: Db): Promise<VersionedSettings> {
  const row = await selectConfigRow(db, SERVER_SETTINGS_KEY);
  if (row === null) return { stored: { values: {}, secrets: {} }, version: 0 };
  return { stored: row.value as StoredSettings, version: row.version };
}

/** False where it is not at `before` any more. */
export async function replaceServerConfig(
  tx: Tx,
  stored: StoredSettings,
  before: number,
  now: number,
): Promise<boolean> {
  return replaceConfigRow(tx, SERVER_SETTINGS_KEY, stored, { before, now });
}
