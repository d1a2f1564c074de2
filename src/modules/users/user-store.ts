import type { Paging } from '../../http/paging.ts';
import type { Dialect } from '../../store/dialect.ts';
import { recordStatements } from '../../store/record-statements.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { UserRow } from './user.ts';

const users = recordStatements('users');
/** Deleting a user deletes their sessions and API keys. */
export const { select: selectUser, lock: lockUser, remove: deleteUser } = users;

export async function selectUserByEmail(db: Db, email: string): Promise<UserRow | null> {
  return (
    (await db.selectFrom('users').selectAll().where('email', '=', email.toLowerCase()).executeTakeFirst()) ??
    null
  );
}

/**
 * Ids of the superadmins who can sign in, held until the transaction ends. Locked first by every change of users, so that of
 * two at once the second waits and sees the result of the first.
 */
export async function lockActiveSuperadmins(tx: Tx, dialect: Dialect): Promise<number[]> {
  const rows = await tx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'superadmin')
    .where('status', '=', 'active')
    .orderBy('id')
    .modifyEnd(dialect.forUpdate)
    .execute();
  return rows.map((row) => row.id);
}

export interface UserFilters {
  readonly role?: string | undefined;
  readonly status?: string | undefined;
  readonly q?: string | undefined;
}

/** In the order of `paging`; one row more than the page. `q` is part of the email or the name, case-insensitive. */
export async function selectUsers(
  db: Db,
  { role, status, q }: UserFilters,
  paging: Paging,
): Promise<UserRow[]> {
  return users.page(db, paging, { role, status }, q);
}

export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly passwordHash: string;
}

export function insertUser(tx: Tx, user: NewUser, now: number): Promise<UserRow> {
  return users.insert(tx, {
    email: user.email.toLowerCase(),
    name: user.name,
    role: user.role,
    password_hash: user.passwordHash,
    totp_confirmed: 0,
    totp_last_step: 0,
    recovery_hashes_json: '[]',
    status: 'active',
    version: 1,
    created_at: now,
    updated_at: now,
  });
}

/** A new TOTP secret, not confirmed until its first code, and the hashes of its recovery codes. */
export async function updateTotp(
  tx: Tx,
  userId: number,
  secretEncrypted: string,
  recoveryHashes: readonly string[],
): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      totp_secret_encrypted: secretEncrypted,
      totp_confirmed: 0,
      totp_last_step: 0,
      recovery_hashes_json: JSON.stringify(recoveryHashes),
    })
    .where('id', '=', userId)
    .execute();
}

/** Consumes a TOTP step: of several equal codes at the same time, exactly one returns true. */
export async function consumeTotpStep(tx: Tx, userId: number, step: number): Promise<boolean> {
  const result = await tx
    .updateTable('users')
    .set({ totp_last_step: step, totp_confirmed: 1 })
    .where('id', '=', userId)
    .where('totp_last_step', '<', step)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Consumes a recovery code once: guarded by the list that was read. */
export async function consumeRecovery(
  tx: Tx,
  userId: number,
  before: string,
  after: readonly string[],
): Promise<boolean> {
  const result = await tx
    .updateTable('users')
    .set({ recovery_hashes_json: JSON.stringify(after) })
    .where('id', '=', userId)
    .where('recovery_hashes_json', '=', before)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export interface UserChange {
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly status: string;
  readonly version: number;
}

export async function updateUser(tx: Tx, id: number, change: UserChange, now: number): Promise<UserRow> {
  return users.update(tx, id, { ...change, email: change.email.toLowerCase(), updated_at: now });
}

export async function updatePasswordHash(
  tx: Tx,
  id: number,
  passwordHash: string,
  now: number,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ password_hash: passwordHash, updated_at: now })
    .where('id', '=', id)
    .execute();
}

/** The next sign-in enrols anew. */
export async function clearTotp(tx: Tx, id: number, now: number): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      totp_secret_encrypted: null,
      totp_confirmed: 0,
      totp_last_step: 0,
      recovery_hashes_json: '[]',
      updated_at: now,
    })
    .where('id', '=', id)
    .execute();
}
