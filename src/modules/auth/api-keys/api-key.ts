import type { Selectable } from 'kysely';
import { timestamp, timestampOrNull } from '../../../base/clock.ts';
import type { Paging } from '../../../http/paging.ts';
import { keptQuery } from '../../../store/kept-query.ts';
import { onPage } from '../../../store/lists/keyset.ts';
import type { Schema } from '../../../store/schema.ts';
import type { Db, Tx } from '../../../store/store.ts';

export type ApiKeyRow = Selectable<Schema['api_keys']>;
export const API_KEY_PREFIX = 'svc_';

export function toApiKey(row: ApiKeyRow) {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: JSON.parse(row.scopes_json) as string[],
    expires_at: timestampOrNull(row.expires_at),
    previous_expires_at: timestampOrNull(row.previous_expires_at),
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
function apiKeyBy(column: 'token_hash' | 'previous_token_hash') {
  return keptQuery((db: Db, tokenHash: string) =>
    db
      .selectFrom('api_keys')
      .innerJoin('users', 'users.id', 'api_keys.user_id')
      .selectAll('api_keys')
      .select(['users.role', 'users.status as user_status'])
      .where(`api_keys.${column}`, '=', tokenHash),
  );
}
const apiKeyByToken = apiKeyBy('token_hash');
const apiKeyByPreviousToken = apiKeyBy('previous_token_hash');

/** By its token, or by the one before that. */
export async function selectApiKeyByHash(db: Db, tokenHash: string) {
  const [key] = await apiKeyByToken(db, tokenHash);
  return key ?? (await apiKeyByPreviousToken(db, tokenHash))[0];
}

/** Newest first, of one user or (null) of all; one row more than the page. */
export async function selectApiKeys(db: Db, userId: number | null, paging: Paging): Promise<ApiKeyRow[]> {
  let query = db.selectFrom('api_keys').selectAll();
  if (userId !== null) query = query.where('user_id', '=', userId);
  return onPage(query, paging).execute();
}

export async function selectApiKey(db: Db, id: number): Promise<ApiKeyRow | null> {
  return (await db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

export interface NewToken {
  readonly prefix: string;
  readonly tokenHash: string;
  /** How long the token that it replaces stays valid; null: not at all. */
  readonly previousExpiresAt: number | null;
}

/** Null if the key is deleted, or has another token than `row` by now. A token before the previous one is dead at once. */
export async function replaceToken(tx: Tx, row: ApiKeyRow, token: NewToken): Promise<ApiKeyRow | null> {
  const replaced = await tx
    .updateTable('api_keys')
    .set({
      prefix: token.prefix,
      token_hash: token.tokenHash,
      previous_token_hash: token.previousExpiresAt === null ? null : row.token_hash,
      previous_expires_at: token.previousExpiresAt,
    })
    .where('id', '=', row.id)
    .where('token_hash', '=', row.token_hash)
    .returningAll()
    .executeTakeFirst();
  return replaced ?? null;
}

/** Takes effect at once on every control plane, independent of their clocks. */
export async function deleteApiKey(tx: Tx, id: number): Promise<boolean> {
  const result = await tx.deleteFrom('api_keys').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function touchApiKey(tx: Tx, id: number, now: number): Promise<void> {
  await tx.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', id).execute();
}
