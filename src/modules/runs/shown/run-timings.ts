import { z } from 'zod';
import { spanMs } from '../../../base/clock.ts';
import { keptQuery } from '../../../store/kept-query.ts';
import type { Db } from '../../../store/store.ts';
import type { RunRow } from '../run.ts';

export const runExecutor = z
  .object({ id: z.number().int(), name: z.string().nullable() })
  .nullable()
  .describe(
    'Who has, or had, the last attempt; null before the first. The name is null once the server has forgotten the executor',
  );

const span = z.number().int().nullable();

export const runTimings = z
  .object({
    queued_ms: span.describe('From its creation until an executor claimed it, or until it ended unclaimed'),
    starting_ms: span.describe('From then until that executor started it, or until the run ended unstarted'),
    running_ms: span.describe('Total duration of its attempts'),
    between_attempts_ms: span.describe(
      'From the end of each attempt until an executor took the next one, or until the run ended without',
    ),
    total_ms: span.describe('From its creation to its end: the sum of the others'),
  })
  .describe('Null: not known yet, never happened, or not known since the clock was set back meanwhile');

export interface RunAttempt {
  readonly executor_id: number;
  readonly executor_name: string | null;
  /** When an executor took it. */
  readonly started_at: number;
  readonly ended_at: number | null;
}

/** Oldest first. One that its executor gave back before it had begun is not among them. */
export const selectAttempts = keptQuery((db: Db, runId: number) =>
  db
    .selectFrom('run_attempts as a')
    .leftJoin('executors as e', 'e.id', 'a.executor_id')
    .select(['a.executor_id', 'e.name as executor_name', 'a.started_at', 'a.ended_at'])
    .where('a.run_id', '=', runId)
    .orderBy('a.attempt'),
);

export function executorOf(attempts: readonly RunAttempt[]): z.output<typeof runExecutor> {
  const last = attempts.at(-1);
  return last === undefined ? null : { id: last.executor_id, name: last.executor_name };
}

export function timingsOf(
  { created_at, started_at, ended_at }: Pick<RunRow, 'created_at' | 'started_at' | 'ended_at'>,
  attempts: readonly RunAttempt[],
): z.output<typeof runTimings> {
  const taken = attempts[0]?.started_at ?? null;
  // Each attempt counts from when it was taken, the first one from when it had begun.
  const spans = attempts.map((attempt, index) => {
    const from = index === 0 ? started_at : attempt.started_at;
    return spanMs(from, attempt.ended_at ?? ended_at) ?? 0;
  });
  const duration = spanMs(started_at, ended_at);
  const running = duration === null ? null : spans.reduce((sum, ms) => sum + ms, 0);
  return {
    queued_ms: spanMs(created_at, taken ?? ended_at),
    starting_ms: spanMs(taken, started_at ?? ended_at),
    running_ms: running,
    between_attempts_ms: duration === null || running === null ? null : Math.max(0, duration - running),
    total_ms: spanMs(created_at, ended_at),
  };
}
