import { sql } from 'kysely';
import type { Dialect } from '../../../store/dialect.ts';
import type { Tx } from '../../../store/store.ts';
import { selectKinds, selectNeeds } from '../../runs/queue/run-claim-store.ts';
import { type Claimant, claimantOf, fits, type RunNeeds } from '../../runs/queue/run-kind.ts';

const KINDS_MAX = 1_000;
/** Runs of one kind marked per pass; the next pass continues. */
const MARKED_MAX = 5_000;
const STAMPED_AFTER_MS = 5_000;

/** Marks queued runs of this kind as fitting no executor, which claims skip. */
async function markKind(tx: Tx, dialect: Dialect, kind: string): Promise<number> {
  const result = await sql`update runs set waiting = 'no_executor' where id in (
    select id from runs where status = 'queued' and waiting is null and kind = ${kind}
    limit ${MARKED_MAX} ${dialect.skipLocked})`.execute(tx);
  return Number(result.numAffectedRows ?? 0n);
}

async function unmarkKind(tx: Tx, dialect: Dialect, kind: string): Promise<number> {
  const result = await sql`update runs set waiting = null where id in (
    select id from runs where status = 'queued' and waiting = 'no_executor' and kind = ${kind}
    limit ${MARKED_MAX} ${dialect.skipLocked})`.execute(tx);
  return Number(result.numAffectedRows ?? 0n);
}

/** Sets the queue deadline of queued runs without one that have waited for some seconds: most are claimed before. */
export async function stampExpiries(
  tx: Tx,
  dialect: Dialect,
  queueTimeoutMs: number,
  now: number,
): Promise<void> {
  await sql`update runs set queue_expires_at = available_at + ${queueTimeoutMs} where id in (
    select id from runs where status = 'queued' and queue_expires_at is null
      and available_at <= ${now - STAMPED_AFTER_MS}
    order by id limit ${MARKED_MAX} ${dialect.skipLocked})`.execute(tx);
}

/** Unmarks runs that fit this executor; returns whether there were any. */
export async function unmarkFitting(tx: Tx, dialect: Dialect, who: Claimant): Promise<boolean> {
  let unmarked = 0;
  for (const kind of await selectKinds(tx, KINDS_MAX, 'no_executor')) {
    const needs = await selectNeeds(tx, kind, 'no_executor');
    if (needs !== null && fits(needs, who)) unmarked += await unmarkKind(tx, dialect, kind);
  }
  return unmarked > 0;
}

/**
 * Marks queued runs that fit none of these executors, and unmarks those that fit one; returns whether there were any of the
 * latter.
 */
export async function markUnclaimable(
  tx: Tx,
  dialect: Dialect,
  present: readonly RunNeeds[],
): Promise<boolean> {
  const claimants = present.map(claimantOf);
  const isFit = async (kind: string, mark: 'no_executor' | null) => {
    const needs = await selectNeeds(tx, kind, mark);
    return needs === null || claimants.some((who) => fits(needs, who));
  };
  // Runs from before kinds existed have the empty one, which says nothing.
  for (const kind of await selectKinds(tx, KINDS_MAX))
    if (kind !== '' && kind !== '!' && !(await isFit(kind, null))) await markKind(tx, dialect, kind);
  let unmarked = 0;
  for (const kind of await selectKinds(tx, KINDS_MAX, 'no_executor'))
    if (await isFit(kind, 'no_executor')) unmarked += await unmarkKind(tx, dialect, kind);
  return unmarked > 0;
}
