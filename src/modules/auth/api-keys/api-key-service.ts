import type { Clock } from '../../../base/clock.ts';
import { AppError, notFound, validationError } from '../../../base/errors.ts';
import { randomHex, sha256 } from '../../../base/ids.ts';
import { type Principal, roleAtLeast, type Scope, scopeAllows } from '../../../http/access.ts';
import type { Db, Store, Tx } from '../../../store/store.ts';
import type { Actor } from '../../audit/audit.ts';
import { createAudit } from '../../audit/audit-service.ts';
import { roleOf } from '../../users/user.ts';
import { selectUser } from '../../users/user-store.ts';
import {
  API_KEY_PREFIX,
  type ApiKeyRow,
  deleteApiKey,
  insertApiKey,
  replaceToken,
  selectApiKey,
} from './api-key.ts';

const TOKEN_BYTES = 24;
const PREFIX_LENGTH = 12;

/** The manager of keys: a user, or an API key acting for one. */
export type KeyHolder = Extract<Principal, { type: 'user' | 'api_key' }>;

export interface ApiKeyInput {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970, or null for a key that does not expire. */
  readonly expiresAt: number | null;
}

/** A new key with its token, which is returned only once. */
export interface IssuedApiKey {
  readonly row: ApiKeyRow;
  readonly token: string;
}

export type ApiKeys = ReturnType<typeof createApiKeys>;

/**
 * Everybody manages their own keys; admins see and revoke those of others, but never get their tokens. A key created with
 * another key has no more scopes and does not outlive it.
 */
export function createApiKeys({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
  const audit = createAudit(clock);

  /** `NOT_FOUND` if it belongs to another user and the holder is not an admin. */
  async function find(id: number, holder: KeyHolder): Promise<ApiKeyRow> {
    const row = await selectApiKey(store.read, id);
    const own = row?.user_id === ownerOf(holder);
    if (row === null || !(own || seesAll(holder))) throw notFound('API key', id);
    return row;
  }

  async function create(input: ApiKeyInput, holder: KeyHolder, actor: Actor): Promise<IssuedApiKey> {
    requireScopes(holder, input.scopes);
    const now = clock.now();
    if (input.expiresAt !== null && input.expiresAt <= now)
      throw validationError([{ path: 'expires_at', message: '"expires_at" is in the past' }]);
    await requireWithinLife(store.read, holder, input.expiresAt);
    const { token, ...hashed } = newToken();
    const key = { ...input, ...hashed, userId: ownerOf(holder) };
    const row = await store.write(async (tx) => {
      const made = await insertApiKey(tx, key, now);
      const diff = { name: input.name, scopes: input.scopes, expires_at: input.expiresAt };
      await audit(tx, actor, 'api_key.create', made.id, diff);
      return made;
    });
    return { row, token };
  }

  /** A new token for the same key; the previous one stays valid for `overlapSeconds`. Only for one's own keys. */
  async function rotate(
    id: number,
    overlapSeconds: number,
    holder: KeyHolder,
    actor: Actor,
  ): Promise<IssuedApiKey> {
    const old = await find(id, holder);
    if (old.user_id !== ownerOf(holder))
      throw new AppError(
        'FORBIDDEN',
        `The API key "${id}" belongs to another user: only its owner can rotate it`,
      );
    const scopes = JSON.parse(old.scopes_json) as string[];
    requireScopes(holder, scopes);
    await requireWithinLife(store.read, holder, old.expires_at);
    const { token, ...hashed } = newToken();
    const row = await store.write(async (tx) => {
      const previousExpiresAt = overlapSeconds === 0 ? null : clock.now() + overlapSeconds * 1_000;
      const rotated = await replaceToken(tx, old, { ...hashed, previousExpiresAt });
      if (rotated === null) throw new AppError('CONFLICT', `The API key "${id}" was just rotated or revoked`);
      await audit(tx, actor, 'api_key.rotate', id, { overlap_seconds: overlapSeconds });
      return rotated;
    });
    return { row, token };
  }

  /** Both tokens of a key that is being rotated are dead at once. A superadmin's key is revoked by superadmins only. */
  async function revoke(id: number, holder: KeyHolder, actor: Actor): Promise<void> {
    const row = await find(id, holder);
    await store.write(async (tx) => {
      if (row.user_id !== ownerOf(holder)) await requireRankOver(tx, row, holder);
      if (!(await deleteApiKey(tx, row.id))) throw notFound('API key', id);
      await audit(tx, actor, 'api_key.delete', row.id, { name: row.name, user_id: row.user_id });
    });
  }

  return { find, create, rotate, revoke };
}

async function requireWithinLife(db: Db, holder: KeyHolder, expiresAt: number | null): Promise<void> {
  if (holder.type !== 'api_key') return;
  const own = await selectApiKey(db, holder.id);
  const end = own?.expires_at ?? null;
  if (end === null || (expiresAt !== null && expiresAt <= end)) return;
  throw new AppError('FORBIDDEN', 'A key made with an API key must expire no later than that key');
}

export function seesAll(holder: KeyHolder): boolean {
  return roleAtLeast(holder.role, 'admin');
}

export function ownerOf(holder: KeyHolder): number {
  return holder.type === 'user' ? holder.id : holder.userId;
}

async function requireRankOver(tx: Tx, { id, user_id }: ApiKeyRow, holder: KeyHolder): Promise<void> {
  const owner = await selectUser(tx, user_id);
  if (owner === null || roleOf(owner.role) !== 'superadmin' || holder.role === 'superadmin') return;
  throw new AppError(
    'FORBIDDEN',
    `The API key "${id}" belongs to a superadmin: only its owner or another "superadmin" can revoke it`,
  );
}

function newToken(): { token: string; prefix: string; tokenHash: string } {
  const token = API_KEY_PREFIX + randomHex(TOKEN_BYTES);
  return { token, prefix: token.slice(0, PREFIX_LENGTH), tokenHash: sha256(token) };
}

function requireScopes(holder: KeyHolder, scopes: readonly string[]): void {
  if (holder.type !== 'api_key' || holder.scopes.includes('*')) return;
  const beyond = scopes.find((wanted) => !scopeAllows(holder.scopes, wanted as Scope));
  if (beyond !== undefined)
    throw new AppError(
      'FORBIDDEN',
      `The API key cannot grant the scope "${beyond}", which it does not have itself`,
    );
}
