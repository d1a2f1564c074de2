import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import type { LoadRecord } from '../../bench/support/load-record.ts';
import type { Store } from '../../src/store/store.ts';
import { attemptKey, groupOf, recordsOf, refuse } from './history-records.ts';

/** Points that a backend keeps, by `run/attempt/batch`. */
export type CountedPoints = ReadonlyMap<string, number>;

/** What a localdb metrics file holds of the load. */
export function countLocaldbPoints(path: string): CountedPoints {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = database
      .prepare(
        `select run_id, attempt, batch_seq, count(*) as points from points where name like 'load.%'
         group by run_id, attempt, batch_seq`,
      )
      .all() as { run_id: number; attempt: number; batch_seq: number; points: number }[];
    return new Map(rows.map((row) => [`${row.run_id}/${row.attempt}/${row.batch_seq}`, row.points]));
  } finally {
    database.close();
  }
}

/** What the metrics tables beside a state store in PostgreSQL hold of the load; null where there are none. */
export async function countServerdbPoints(store: Store): Promise<CountedPoints | null> {
  const found = await sql<{
    known: string | null;
  }>`select to_regclass('headgate_metric_points')::text as known`.execute(store.read);
  if (found.rows[0]?.known == null) return null;
  const { rows } = await sql<{ key: string; points: number }>`
    select run_id || '/' || attempt || '/' || batch_seq as key, count(*) as points from headgate_metric_points
    where name like 'load.%' group by run_id, attempt, batch_seq`.execute(store.read);
  return new Map(rows.map((row) => [row.key, Number(row.points)]));
}

/** Each batch of metrics that was acknowledged is kept once, with all its points; none is kept that was never sent. */
export function checkMetrics(records: readonly LoadRecord[], kept: CountedPoints): void {
  const problems: string[] = [];
  const keyOf = (each: { run: number; attempt: number; batch: number }) =>
    `${attemptKey(each)}/${each.batch}`;
  const sent = groupOf(recordsOf(records, 'metrics_sending'), keyOf);
  for (const acked of recordsOf(records, 'metrics_acked')) {
    const found = kept.get(keyOf(acked)) ?? 0;
    if (found !== acked.points)
      problems.push(`metrics ${keyOf(acked)}: ${acked.points} points acknowledged, ${found} kept`);
  }
  for (const [key, points] of kept) {
    const wanted = sent.get(key)?.[0]?.points;
    if (wanted === undefined) problems.push(`metrics ${key}: kept, and never sent`);
    else if (points !== wanted) problems.push(`metrics ${key}: ${points} points kept, ${wanted} sent`);
  }
  refuse('Metrics are not what was acknowledged', problems);
}
