import type { Selectable } from 'kysely';
import { timestamp, timestampOrNull } from '../../base/clock.ts';
import type { Paging } from '../../http/paging.ts';
import { keptQuery } from '../../store/kept-query.ts';
import { onPage } from '../../store/keyset.ts';
import type { Schema } from '../../store/schema.ts';
import type { Db, Tx } from '../../store/store.ts';

export type ApiKeyRow = Selectable<Schema['api_keys']>;
export const API_KEY_PREFIX = 'svc_';

/** The time when the key stops working: its expiry, or the end of the overlap after a rotation. */
export function endOf(row: Pick<ApiKeyRow, 'expires_at' | 'revoked_at'>): number | null {
  if (row.revoked_at === null || row.expires_at === null) return row.revoked_at ?? row.expires_at;
  return Math.min(row.revoked_at, row.expires_at);
}

export function toApiKey(row: ApiKeyRow) {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: JSON.parse(row.scopes_json) as string[],
    expires_at: timestampOrNull(endOf(row)),
    last_used_at: timestampOrNull(row.last_used_at),
    created_at: timestamp(row.created_at),
    user_id: row.user_id,
  };
}

export interface NewApiKey {
  readonly name: string;
  readonly prefix: string;
  readonly tokenHash: string;
  readonly userId: number;
  readonly scopes: readonly string[];
  readonly expiresAt: number | null;
}

export async function insertApiKey(tx: Tx, key: NewApiKey, now: number): Promise<ApiKeyRow> {
  return tx
    .insertInto('api_keys')
    .values({
      name: key.name,
      prefix: key.prefix,
      token_hash: key.tokenHash,
      user_id: key.userId,
      scopes_json: JSON.stringify(key.scopes),
      expires_at: key.expiresAt,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** With the creator's current role and status. */
const apiKeyByHash = keptQuery((db: Db, tokenHash: string) =>
  db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .selectAll('api_keys')
    .select(['users.role', 'users.status as user_status'])
    .where('api_keys.token_hash', '=', tokenHash),
);

export async function selectApiKeyByHash(db: Db, tokenHash: string) {
  return (await apiKeyByHash(db, tokenHash))[0];
}

/** Newest first, of one user or (null) of all; one row more than the page. Without those ended by a rotation. */
export async function selectApiKeys(
  db: Db,
  userId: number | null,
  paging: Paging,
  now: number,
): Promise<ApiKeyRow[]> {
  let query = db
    .selectFrom('api_keys')
    .selectAll()
    .where((eb) => eb.or([eb('revoked_at', 'is', null), eb('revoked_at', '>', now)]));
  if (userId !== null) query = query.where('user_id', '=', userId);
  return onPage(query, paging).execute();
}

export async function selectApiKey(db: Db, id: number): Promise<ApiKeyRow | null> {
  return (await db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The key stays valid until `at`; after that, only its successor is. False if it is deleted or was already retired. */
export async function retireApiKey(tx: Tx, id: number, at: number): Promise<boolean> {
  const result = await tx
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Takes effect at once on every control plane, independent of their clocks. */
export async function deleteApiKey(tx: Tx, id: number): Promise<boolean> {
  const result = await tx.deleteFrom('api_keys').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function touchApiKey(tx: Tx, id: number, now: number): Promise<void> {
  await tx.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', id).execute();
}
