import type { Db, Tx } from '../../store/store.ts';
import { replaceConfigRow, selectConfigRow } from '../server/config-row-store.ts';
import { type Branding, branding, DEFAULT_BRANDING } from './branding.ts';

const KEY = 'branding';

export interface VersionedBranding {
  readonly branding: Branding;
  /** 0 before its first change. */
  readonly version: number;
}

export async function selectBranding(db: Db): Promise<VersionedBranding> {
  const row = await selectConfigRow(db, KEY);
  if (row === null) return { branding: DEFAULT_BRANDING, version: 0 };
  return { branding: branding.parse(row.value), version: row.version };
}

/** False if it is no longer at `before`. */
export async function replaceBranding(
  tx: Tx,
  value: Branding,
  before: number,
  now: number,
): Promise<boolean> {
  return replaceConfigRow(tx, KEY, value, { before, now });
}
