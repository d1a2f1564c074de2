import type { Db, Tx } from '../../store/store.ts';

const KEY = 'settings';

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
  const query = db.selectFrom('server_config').select(['value_json', 'version']).where('key', '=', KEY);
  const row = await query.executeTakeFirst();
  if (row === undefined) return { stored: { values: {}, secrets: {} }, version: 0 };
  return { stored: JSON.parse(row.value_json) as StoredSettings, version: row.version };
}

/** False where it is not at `before` any more. */
export async function replaceServerConfig(
  tx: Tx,
  stored: StoredSettings,
  before: number,
  now: number,
): Promise<boolean> {
  const columns = { value_json: JSON.stringify(stored), version: before + 1, updated_at: now };
  if (before === 0) {
    const made = await tx
      .insertInto('server_config')
      .values({ key: KEY, ...columns })
      .onConflict((oc) => oc.doNothing())
      .returning('key')
      .executeTakeFirst();
    return made !== undefined;
  }
  const changed = await tx
    .updateTable('server_config')
    .set(columns)
    .where('key', '=', KEY)
    .where('version', '=', before)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}
