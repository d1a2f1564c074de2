import type { Db, Tx } from '../../store/store.ts';
import { type Branding, branding, DEFAULT_BRANDING } from './branding.ts';

const KEY = 'branding';

export interface VersionedBranding {
  readonly branding: Branding;
  /** 0 before it was first changed. */
  readonly version: number;
}

export async function selectBranding(db: Db): Promise<VersionedBranding> {
  const query = db.selectFrom('server_config').select(['value_json', 'version']).where('key', '=', KEY);
  const row = await query.executeTakeFirst();
  if (row === undefined) return { branding: DEFAULT_BRANDING, version: 0 };
  return { branding: branding.parse(JSON.parse(row.value_json)), version: row.version };
}

/** False where it is not at `before` any more. */
export async function replaceBranding(
  tx: Tx,
  value: Branding,
  before: number,
  now: number,
): Promise<boolean> {
  const columns = { value_json: JSON.stringify(value), version: before + 1, updated_at: now };
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
