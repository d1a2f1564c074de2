import { sql } from 'kysely';
import type { LogAck, LogBatch } from '../../protocol/control-plane.ts';
import type { Store, Tx } from '../../store/store.ts';
import { selectNow } from './run-lease-store.ts';
import { appendTo, judgeLogLease, type LogLeaseState, type LogRow, lengthOf } from './run-log.ts';

/** The largest `integer`: no attempt has a higher number. */
const ATTEMPT_MAX = 2 ** 31 - 1;

/** The bulk writer over a server: many batches of many runs in one transaction, the rows in one `unnest` insert. */
export async function commitLogs(store: Store, batches: readonly LogBatch[]): Promise<LogAck[]> {
  return store.write(async (tx) => {
    const states = await selectLeaseStates(tx, batches);
    const now = await selectNow(tx, store.dialect);
    const outcomes = batches.map((batch) =>
      judgeLogLease(states.get(keyOf(batch)) ?? null, batch.lease, now),
    );
    const accepted = batches.filter((_, index) => outcomes[index] === 'ACCEPTED');
    const cursors = await lockCursors(tx, accepted);
    const rows: LogRow[] = [];
    const acks = batches.map((batch, index) => {
      const key = keyOf(batch);
      const appended = appendTo(batch, outcomes[index] ?? 'STALE_LEASE', cursors.get(key) ?? 0);
      cursors.set(key, appended.ack.acked_seq);
      rows.push(...appended.rows);
      return appended.ack;
    });
    await insertRows(tx, rows);
    return acks;
  });
}

/** Deletes the log of a run that is gone. */
export async function forgetLogs(store: Store, runId: number): Promise<void> {
  await store.write(async (tx) => {
    await sql`delete from run_logs where run_id = ${runId}`.execute(tx);
    await sql`delete from run_log_cursors where run_id = ${runId}`.execute(tx);
  });
}

const keyOf = (batch: LogBatch) => `${batch.lease.run_id}/${batch.lease.attempt}`;

/** Run ids and attempts of the batches, each once. */
function attemptsOf(batches: readonly LogBatch[]): { runIds: number[]; attempts: number[] } {
  const leases = [...new Map(batches.map((batch) => [keyOf(batch), batch.lease])).values()];
  return {
    runIds: leases.map((lease) => lease.run_id),
    attempts: leases.map((lease) => Math.min(lease.attempt, ATTEMPT_MAX)),
  };
}

async function selectLeaseStates(tx: Tx, batches: readonly LogBatch[]): Promise<Map<string, LogLeaseState>> {
  const { runIds, attempts } = attemptsOf(batches);
  const { rows } = await sql<LogLeaseState & { run_id: number; asked: number }>`
    select r.id as run_id, k.attempt as asked, r.status, r.epoch, r.attempt, r.lease_token, r.acknowledged,
           a.epoch as attempt_epoch, a.lease_token as attempt_token, a.ended_at as attempt_ended_at
    from unnest(${runIds}::bigint[], ${attempts}::int[]) as k(run_id, attempt)
    join runs r on r.id = k.run_id
    left join run_attempts a on a.run_id = k.run_id and a.attempt = k.attempt`.execute(tx);
  return new Map(rows.map((row) => [`${row.run_id}/${row.asked}`, row]));
}

/** Makes and locks the cursor rows, in one order for all writers, so that two control planes never interleave one attempt. */
async function lockCursors(tx: Tx, batches: readonly LogBatch[]): Promise<Map<string, number>> {
  if (batches.length === 0) return new Map();
  const { runIds, attempts } = attemptsOf(batches);
  const { rows } = await sql<{ run_id: number; attempt: number; acked_seq: number }>`
    insert into run_log_cursors (run_id, attempt, acked_seq, bytes)
    select k.run_id, k.attempt, 0, 0 from unnest(${runIds}::bigint[], ${attempts}::int[]) as k(run_id, attempt)
    order by k.run_id, k.attempt
    on conflict (run_id, attempt) do update set bytes = run_log_cursors.bytes
    returning run_id, attempt, acked_seq`.execute(tx);
  return new Map(rows.map((row) => [`${row.run_id}/${row.attempt}`, row.acked_seq]));
}

async function insertRows(tx: Tx, rows: readonly LogRow[]): Promise<void> {
  if (rows.length === 0) return;
  const column = (pick: (row: LogRow) => unknown) => rows.map(pick);
  await sql`
    insert into run_logs (run_id, attempt, seq, at, level, step_id, message, fields_json)
    select * from unnest(
      ${column((r) => r.run_id)}::bigint[], ${column((r) => r.attempt)}::int[], ${column((r) => r.seq)}::bigint[],
      ${column((r) => r.at)}::bigint[], ${column((r) => r.level)}::smallint[], ${column((r) => r.step_id)}::text[],
      ${column((r) => r.message)}::text[], ${column((r) => r.fields_json)}::text[])`.execute(tx);
  await sql`
    update run_log_cursors c set acked_seq = n.seq, bytes = c.bytes + n.bytes
    from (select run_id, attempt, max(seq) as seq, sum(bytes) as bytes
          from unnest(${column((r) => r.run_id)}::bigint[], ${column((r) => r.attempt)}::int[],
            ${column((r) => r.seq)}::bigint[], ${column(lengthOf)}::bigint[]) as u(run_id, attempt, seq, bytes)
          group by run_id, attempt) n
    where c.run_id = n.run_id and c.attempt = n.attempt`.execute(tx);
}
