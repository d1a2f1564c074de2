import type { Db, Tx } from '../../store/store.ts';

/** One row of `server_config`: a value of the whole installation, with its own version. */
export interface ConfigRow {
  readonly value: unknown;
  readonly version: number;
}

/** Null before its first change. */
export async function selectConfigRow(db: Db, key: string): Promise<ConfigRow | null> {
  const query = db.selectFrom('server_config').select(['value_json', 'version']).where('key', '=', key);
  const row = await query.executeTakeFirst();
  return row === undefined ? null : { value: JSON.parse(row.value_json), version: row.version };
}

/** `before` is the version to replace, 0 if there is none yet. False if the row is at another version. */
export async function replaceConfigRow(
  tx: Tx,
  key: string,
  value: unknown,
  { before, now }: { readonly before: number; readonly now: number },
): Promise<boolean> {
  const columns = { value_json: JSON.stringify(value), version: before + 1, updated_at: now };
  if (before === 0) {
    const made = await tx
      .insertInto('server_config')
      .values({ key, ...columns })
      .onConflict((oc) => oc.doNothing())
      .returning('key')
      .executeTakeFirst();
    return made !== undefined;
  }
  const changed = await tx
    .updateTable('server_config')
    .set(columns)
    .where('key', '=', key)
    .where('version', '=', before)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}
