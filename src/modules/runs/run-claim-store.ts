import type { Lease } from '../../protocol/control-plane.ts';
import type { Dialect } from '../../store/dialect.ts';
import type { Tx } from '../../store/store.ts';
import { type RunRow, splitTypes } from './run.ts';
import { insertHistory } from './run-store.ts';

/** Kinds of needs (connector types and labels) that one claim looks at. */
const CLAIM_KINDS_MAX = 500;

export interface Claimant {
  readonly connectorTypes: ReadonlySet<string>;
  readonly labels: Readonly<Record<string, string>>;
}

/** What a claim reads of a run. */
export type ClaimableRun = Pick<RunRow, 'id' | 'attempt' | 'epoch' | 'reason' | 'task_name'>;

/** Queued runs that this executor can run, by priority and then age, locked where the engine has several writers. */
export async function selectClaimable(
  tx: Tx,
  dialect: Dialect,
  who: Claimant,
  count: number,
  now: number,
): Promise<ClaimableRun[]> {
  const kinds = await tx
    .selectFrom('runs')
    .select(['connector_types', 'labels_json'])
    .distinct()
    .where('status', '=', 'queued')
    .where('available_at', '<=', now)
    .limit(CLAIM_KINDS_MAX)
    .execute();
  const fitting = kinds.filter((kind) => fits(kind, who));
  if (fitting.length === 0) return [];
  let query = tx
    .selectFrom('runs')
    .select(['id', 'attempt', 'epoch', 'reason', 'task_name', 'connector_types', 'labels_json'])
    .where('status', '=', 'queued')
    .where('available_at', '<=', now)
    .orderBy('priority', 'desc')
    .orderBy('available_at')
    .orderBy('id')
    .limit(count)
    .modifyEnd(dialect.skipLocked);
  if (fitting.length < kinds.length || kinds.length === CLAIM_KINDS_MAX) {
    // Types and labels fit or not independently of each other, so every pair of these fits.
    const types = [...new Set(fitting.map((kind) => kind.connector_types))];
    const labels = [...new Set(fitting.map((kind) => kind.labels_json))];
    query = query.where('connector_types', 'in', types).where('labels_json', 'in', labels);
  }
  // A kind that has come to the queue since the first query may be among them.
  return (await query.execute()).filter((row) => fits(row, who));
}

function fits(need: { connector_types: string; labels_json: string }, who: Claimant): boolean {
  if (!splitTypes(need.connector_types).every((type) => who.connectorTypes.has(type))) return false;
  const labels = JSON.parse(need.labels_json) as Record<string, string>;
  return Object.entries(labels).every(([name, value]) => who.labels[name] === value);
}

/** Gives a queued run, locked by the caller, to an executor: a new attempt with a new epoch and token. */
export async function leaseRun(
  tx: Tx,
  run: ClaimableRun,
  executorId: number,
  token: string,
  expires: number,
  now: number,
): Promise<Lease> {
  const attempt = run.attempt + 1;
  const epoch = run.epoch + 1;
  const reason = run.attempt === 0 ? run.reason : 'retry';
  await tx
    .updateTable('runs')
    .set({
      status: 'running',
      reason,
      attempt,
      epoch,
      lease_token: token,
      lease_expires_at: expires,
      acknowledged: 0,
      executor_id: executorId,
      progress_json: null,
    })
    .where('id', '=', run.id)
    .where('status', '=', 'queued')
    .execute();
  await tx
    .insertInto('run_attempts')
    .values({ run_id: run.id, attempt, epoch, lease_token: token, executor_id: executorId, started_at: now })
    .execute();
  await insertHistory(tx, run.id, 'queued', 'running', reason, attempt, now);
  return { run_id: run.id, attempt, epoch, token };
}
