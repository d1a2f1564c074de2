import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import { type ExpectedVersions, requireVersion } from '../../http/etag.ts';
import type { Db, Store, Tx } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { replaceConfigRow, selectConfigRow } from '../server/config-row-store.ts';
import { type Branding, branding, DEFAULT_BRANDING } from './branding.ts';

export interface BrandingDeps {
  readonly store: Store;
  readonly clock: Clock;
}

export type Brandings = ReturnType<typeof createBrandings>;

/** The installation's name, images and colour. */
export function createBrandings({ store, clock }: BrandingDeps) {
  function current(): Promise<VersionedBranding> {
    return selectBranding(store.read);
  }

  /** Identical content makes no new version. `PRECONDITION_FAILED` if it is not at `expected`, `CONFLICT` for two at once. */
  async function replace(
    value: Branding,
    expected: ExpectedVersions,
    actor: Actor,
  ): Promise<VersionedBranding> {
    return store.write(async (tx) => {
      const before = await selectBranding(tx);
      requireVersion(expected, before.version);
      if (canonicalJson(before.branding) === canonicalJson(value)) return before;
      const now = clock.now();
      if (!(await replaceBranding(tx, value, before.version, now)))
        throw new AppError('CONFLICT', 'Somebody else has just changed the branding: read it again');
      const entry = { action: 'branding.update', resourceType: 'branding', resourceId: null };
      await insertAudit(tx, actor, { ...entry, diff: changed(before.branding, value) }, now);
      return { branding: value, version: before.version + 1 };
    });
  }

  return { current, replace };
}

function changed(before: Branding, after: Branding): Record<string, unknown> {
  const keys = (Object.keys(after) as (keyof Branding)[]).filter((key) => before[key] !== after[key]);
  return Object.fromEntries(keys.map((key) => [key, [before[key], after[key]]]));
}

const KEY = 'branding';

interface VersionedBranding {
  readonly branding: Branding;
  /** 0 before its first change. */
  readonly version: number;
}

async function selectBranding(db: Db): Promise<VersionedBranding> {
  const row = await selectConfigRow(db, KEY);
  if (row === null) return { branding: DEFAULT_BRANDING, version: 0 };
  return { branding: branding.parse(row.value), version: row.version };
}

/** False if it is no longer at `before`. */
async function replaceBranding(tx: Tx, value: Branding, before: number, now: number): Promise<boolean> {
  return replaceConfigRow(tx, KEY, value, { before, now });
}
