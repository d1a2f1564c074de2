import { sql } from 'kysely';
import type { Tx } from '../../../store/store.ts';

/** Groups of one statement: below the engines' limits of bound values. */
const GROUPS_PER_SELECT = 200;

/** Runs that take turns with those of other groups: a job's, or of runs without a job a task's, of one kind and priority. */
export interface RankGroup {
  readonly kind: string;
  readonly priority: number;
  readonly job_id: number | null;
  readonly task_id: number | null;
}

/**
 * The rank of the next run of each group: one above its own last run in the queue, and never below that of the oldest run that
 * waits. So a job's first run comes right after those that lead their jobs now, however many wait behind them, and whoever is
 * the oldest is passed by none that comes later.
 */
export async function selectNextRanks(tx: Tx, groups: readonly RankGroup[], now: number): Promise<number[]> {
  const ranks: number[] = [];
  for (let at = 0; at < groups.length; at += GROUPS_PER_SELECT) {
    const part = groups.slice(at, at + GROUPS_PER_SELECT);
    const values = part.map(
      ({ kind, priority, job_id, task_id }, index) =>
        sql`(cast(${index} as bigint), cast(${kind} as text), cast(${priority} as bigint), cast(${job_id} as bigint),
          cast(${task_id} as bigint))`,
    );
    const { rows } = await sql<{ place: number; head: number | null; last: number | null }>`
      with wanted (place, kind, priority, job_id, task_id) as (values ${sql.join(values)})
      select place,
        (select queue_rank from runs where status = 'queued' and waiting is null and kind = wanted.kind
          and priority = wanted.priority and available_at <= ${now} order by available_at, id limit 1) as head,
        case when job_id is not null then
          (select case when status = 'queued' and kind = wanted.kind and priority = wanted.priority then queue_rank end
            from runs where job_id = wanted.job_id order by id desc limit 1)
        else
          (select case when status = 'queued' and kind = wanted.kind and priority = wanted.priority then queue_rank end
            from runs where task_id = wanted.task_id and job_id is null order by id desc limit 1)
        end as last
      from wanted order by place`.execute(tx);
    ranks.push(...rows.map(({ head, last }) => Math.max(head ?? 0, last === null ? 0 : last + 1)));
  }
  return ranks;
}
