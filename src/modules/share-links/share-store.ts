import { keptQuery } from '../../store/kept-query.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { DashboardRow } from '../dashboards/dashboard.ts';

/** What holds for a link besides its token, and outlives a rotation. */
export interface ShareTerms {
  /** Null: it does not expire. */
  readonly expiresAt: number | null;
  /** argon2id; null: the link alone opens the dashboard. */
  readonly passwordHash: string | null;
  /** Origins that may show the page in a frame, with spaces between them; null: none. */
  readonly embedOrigins: string | null;
}

export interface Share extends ShareTerms {
  readonly hash: string;
  readonly sealed: string;
}

export async function selectDashboardByShare(db: Db, tokenHash: string): Promise<DashboardRow | null> {
  const query = db.selectFrom('dashboards').selectAll().where('share_token_hash', '=', tokenHash);
  return (await query.executeTakeFirst()) ?? null;
}

const SHARE_COLUMNS = [
  'id',
  'version',
  'share_token_hash',
  'share_token_encrypted',
  'share_expires_at',
  'share_password_hash',
  'share_embed_origins',
] as const;

/** What of a shared dashboard may change without a new version, and which version that is. */
export type ShareRow = Pick<DashboardRow, (typeof SHARE_COLUMNS)[number]>;

const shareByHash = keptQuery((db: Db, tokenHash: string) =>
  db.selectFrom('dashboards').select(SHARE_COLUMNS).where('share_token_hash', '=', tokenHash),
);

export async function selectShareByHash(db: Db, tokenHash: string): Promise<ShareRow | null> {
  return (await shareByHash(db, tokenHash))[0] ?? null;
}

/** Null revokes, and forgets expiry, password and origins. The version stays: a link is no part of the definition. */
export async function updateShare(tx: Tx, id: number, share: Share | null): Promise<void> {
  await tx
    .updateTable('dashboards')
    .set({
      share_token_hash: share?.hash ?? null,
      share_token_encrypted: share?.sealed ?? null,
      share_expires_at: share?.expiresAt ?? null,
      share_password_hash: share?.passwordHash ?? null,
      share_embed_origins: share?.embedOrigins ?? null,
    })
    .where('id', '=', id)
    .execute();
}

export async function updateShareTerms(tx: Tx, id: number, terms: ShareTerms): Promise<void> {
  await tx
    .updateTable('dashboards')
    .set({
      share_expires_at: terms.expiresAt,
      share_password_hash: terms.passwordHash,
      share_embed_origins: terms.embedOrigins,
    })
    .where('id', '=', id)
    .execute();
}

/** A text that is another one after each saved input and each use of an action of the dashboard. */
export async function selectInputStamp(db: Db, row: DashboardRow): Promise<string> {
  const found = await db
    .selectFrom('jobs')
    .select((eb) => [
      'config_version',
      eb
        .selectFrom('dashboard_actions')
        .select((inner) => inner.fn.sum('acted_at').as('acted'))
        .where('dashboard_id', '=', row.id)
        .as('acted'),
    ])
    .where('id', '=', row.job_id)
    .executeTakeFirst();
  return `${found?.config_version ?? 0}.${found?.acted ?? 0}`;
}
