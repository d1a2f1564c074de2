import type { Dialect } from '../../../store/dialect.ts';
import type { Db, Tx } from '../../../store/store.ts';
import type { ExecutorKeyRow } from './executor-key.ts';

/** Stores configured keys; existing rows stay unchanged. */
export async function insertExecutorKeys(
  tx: Tx,
  fingerprints: readonly string[],
  now: number,
): Promise<void> {
  if (fingerprints.length === 0) return;
  await tx
    .insertInto('executor_keys')
    .values(
      fingerprints.map((fingerprint) => ({
        fingerprint,
        first_seen_at: now,
        last_seen_at: now,
        revoked_at: null,
        revoked_by: null,
      })),
    )
    .onConflict((oc) => oc.column('fingerprint').doNothing())
    .execute();
}

/** Newest first. */
export async function selectExecutorKeys(db: Db, limit: number): Promise<ExecutorKeyRow[]> {
  return db
    .selectFrom('executor_keys')
    .selectAll()
    .orderBy('first_seen_at', 'desc')
    .orderBy('fingerprint')
    .limit(limit)
    .execute();
}

/** The revoked ones among these keys. */
export async function selectRevokedOf(db: Db, fingerprints: readonly string[]): Promise<string[]> {
  if (fingerprints.length === 0) return [];
  const rows = await db
    .selectFrom('executor_keys')
    .select('fingerprint')
    .where('fingerprint', 'in', fingerprints)
    .where('revoked_at', 'is not', null)
    .execute();
  return rows.map((row) => row.fingerprint);
}

/** Every revoked key, last revoked first. */
export async function selectRevokedKeys(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('executor_keys')
    .select('fingerprint')
    .where('revoked_at', 'is not', null)
    .orderBy('revoked_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => row.fingerprint);
}

/** Locks these keys in a fixed order: of two revocations, the second sees the first. */
export async function lockExecutorKeys(
  tx: Tx,
  dialect: Dialect,
  fingerprints: readonly string[],
): Promise<ExecutorKeyRow[]> {
  return tx
    .selectFrom('executor_keys')
    .selectAll()
    .where('fingerprint', 'in', fingerprints)
    .orderBy('fingerprint')
    .modifyEnd(dialect.forUpdate)
    .execute();
}

/** Final: a revoked key stays revoked. */
export async function revokeExecutorKey(tx: Tx, fingerprint: string, by: string, now: number): Promise<void> {
  await tx
    .updateTable('executor_keys')
    .set({ revoked_at: now, revoked_by: by })
    .where('fingerprint', '=', fingerprint)
    .where('revoked_at', 'is', null)
    .execute();
}

export async function touchExecutorKey(tx: Tx, fingerprint: string, now: number): Promise<void> {
  await tx
    .updateTable('executor_keys')
    .set({ last_seen_at: now })
    .where('fingerprint', '=', fingerprint)
    .where('last_seen_at', '<', now)
    .execute();
}
