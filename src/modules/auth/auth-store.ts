import type { Selectable } from 'kysely';
import { keptQuery } from '../../store/kept-query.ts';
import type { Schema } from '../../store/schema.ts';
import type { Db, Tx } from '../../store/store.ts';

export type SessionRow = Selectable<Schema['sessions']>;

export interface NewSession {
  readonly tokenHash: string;
  readonly userId: number;
  readonly kind: 'pending' | 'full';
  readonly now: number;
  readonly expiresAt: number;
  readonly address: string;
  readonly userAgent: string;
}

/** Subjects of failures by their names, and the email of the account that was tried. */
interface FailedTry {
  readonly subjects: readonly { readonly name: string }[];
  readonly account: string | null;
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx
    .insertInto('sessions')
    .values({
      token_hash: session.tokenHash,
      user_id: session.userId,
      kind: session.kind,
      created_at: session.now,
      last_seen_at: session.now,
      expires_at: session.expiresAt,
      address: session.address,
      user_agent: session.userAgent,
    })
    .execute();
}

export async function selectSession(
  db: Db,
  tokenHash: string,
  kind: 'pending' | 'full',
): Promise<SessionRow | null> {
  return (await sessionByHash(db, tokenHash, kind))[0] ?? null;
}

const sessionByHash = keptQuery((db: Db, tokenHash: string, kind: 'pending' | 'full') =>
  db.selectFrom('sessions').selectAll().where('token_hash', '=', tokenHash).where('kind', '=', kind),
);

export async function selectSessionsOf(db: Db, userId: number): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('kind', '=', 'full')
    .orderBy('id')
    .execute();
}

export async function touchSession(tx: Tx, id: number, now: number): Promise<void> {
  await tx.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', id).execute();
}

export async function deleteSession(tx: Tx, id: number, userId: number): Promise<boolean> {
  const result = await tx
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function deleteSessionsOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('sessions').where('user_id', '=', userId).execute();
}

/** Returns their number. */
export async function deleteOtherSessionsOf(tx: Tx, userId: number, keptId: number): Promise<number> {
  const others = tx.deleteFrom('sessions').where('user_id', '=', userId).where('id', '!=', keptId);
  return Number((await others.executeTakeFirst()).numDeletedRows);
}

export async function deleteExpiredSessions(tx: Tx, now: number): Promise<void> {
  await tx.deleteFrom('sessions').where('expires_at', '<', now).execute();
}

export async function insertFailures(tx: Tx, { subjects, account }: FailedTry, now: number): Promise<void> {
  await tx
    .insertInto('auth_failures')
    .values(subjects.map(({ name }) => ({ subject: name, account, at: now })))
    .execute();
}

/** The time of the `nth` newest failure after `since`, or null if there are fewer. */
export async function selectFailureTime(
  db: Db,
  subject: string,
  since: number,
  nth: number,
): Promise<number | null> {
  const row = await db
    .selectFrom('auth_failures')
    .select('at')
    .where('subject', '=', subject)
    .where('at', '>', since)
    .orderBy('at', 'desc')
    .offset(nth - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.at ?? null;
}

/** What these subjects failed at this account. */
export async function deleteFailuresOf(tx: Tx, { subjects, account }: FailedTry): Promise<void> {
  const names = subjects.map(({ name }) => name);
  await tx
    .deleteFrom('auth_failures')
    .where('subject', 'in', names)
    .where('account', 'is not distinct from', account)
    .execute();
}

/** Everything that failed at this account, from wherever: it is no longer locked for anybody. */
export async function unlockAccount(tx: Tx, email: string): Promise<void> {
  await tx.deleteFrom('auth_failures').where('account', '=', email).execute();
}

/** Everything that failed from this network (`networkOf`), at whatever account or share link; returns how many. */
export async function unlockNetwork(tx: Tx, network: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('auth_failures')
    .where('subject', 'like', `%:${network}`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export async function deleteOldFailures(tx: Tx, before: number): Promise<void> {
  await tx.deleteFrom('auth_failures').where('at', '<', before).execute();
}

export async function selectSecret(db: Db, name: string): Promise<string | null> {
  const row = await db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value ?? null;
}

/** Stores a named secret of the server; of two writers at once, the first one wins. */
export async function insertSecretOnce(tx: Tx, name: string, value: string, now: number): Promise<void> {
  await tx
    .insertInto('secrets')
    .values({ name, value, created_at: now })
    .onConflict((oc) => oc.doNothing())
    .execute();
}

export async function replaceSecret(tx: Tx, name: string, value: string, now: number): Promise<void> {
  await tx
    .insertInto('secrets')
    .values({ name, value, created_at: now })
    .onConflict((oc) => oc.column('name').doUpdateSet({ value, created_at: now }))
    .execute();
}

export async function selectSecretsOf(db: Db, prefix: string) {
  return db.selectFrom('secrets').selectAll().where('name', 'like', `${prefix}%`).execute();
}

/**
 * Deletes the secrets with this prefix, all of them or those older than a time, and returns their names. Of two calls at once,
 * the second waits and gets none.
 */
export async function deleteSecretsOf(tx: Tx, prefix: string, madeBefore: number | null): Promise<string[]> {
  let query = tx.deleteFrom('secrets').where('name', 'like', `${prefix}%`);
  if (madeBefore !== null) query = query.where('created_at', '<', madeBefore);
  const rows = await query.returning('name').execute();
  return rows.map((row) => row.name);
}
