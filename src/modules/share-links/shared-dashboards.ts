import { SizedCache } from '../../base/cache/sized-cache.ts';
import type { Db } from '../../store/store.ts';
import { type DashboardRow, documentKey } from '../dashboards/dashboard.ts';
import { type ShareRow, selectDashboardByShare, selectShareByHash } from './share-store.ts';

const DASHBOARDS_MAX = 500;
const CHARS_MAX = 32_000_000;

/**
 * Dashboards by their share token. What stands for the link is read each time, so that a link that was revoked anywhere is dead at
 * once; the texts, which are large and the same for every version, are kept while there is room.
 */
export class SharedDashboards {
  readonly #db: Db;
  readonly #known = new SizedCache<DashboardRow>({ entriesMax: DASHBOARDS_MAX, sizeMax: CHARS_MAX });

  constructor(db: Db) {
    this.#db = db;
  }

  async byTokenHash(hash: string): Promise<DashboardRow | null> {
    const share = await selectShareByHash(this.#db, hash);
    if (share === null) return null;
    const known = this.#known.get(documentKey(share));
    if (known !== undefined) return isSameShare(known, share) ? known : { ...known, ...share };
    const row = await selectDashboardByShare(this.#db, hash);
    if (row !== null) this.#known.add(documentKey(row), row, charsOf(row));
    return row;
  }
}

/** Most often nothing has changed, and a row of many columns need not be copied for each request. */
function isSameShare(known: DashboardRow, share: ShareRow): boolean {
  return (
    known.share_token_hash === share.share_token_hash &&
    known.share_token_encrypted === share.share_token_encrypted &&
    known.share_expires_at === share.share_expires_at &&
    known.share_password_hash === share.share_password_hash
  );
}

const charsOf = (row: DashboardRow) =>
  row.yaml_content.length + row.document_json.length + row.public_json.length;
