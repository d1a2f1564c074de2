import { z } from 'zod';
import { spanMs, timestamp } from '../../base/clock.ts';
import { member } from '../../http/access.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { selectNextTimes, selectRecentJobRuns } from './job-health-store.ts';

const JOBS_MAX = 200;
const RUNS_MAX = 20;

const query = z.strictObject({
  ids: z
    .string()
    .regex(/^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/, 'Give ids of jobs with commas')
    .transform((text) => [...new Set(text.split(',').map(Number))])
    .refine((ids) => ids.length <= JOBS_MAX, `At most ${JOBS_MAX} jobs at once`)
    .describe(`Ids of jobs with commas, at most ${JOBS_MAX}`)
    .meta({ examples: ['1,2'] }),
});

const health = z
  .object({
    job_id: z.number().int(),
    next_run_at: z.string().nullable().describe('The next start by a trigger; null if none'),
    success_rate: z
      .number()
      .nullable()
      .describe(
        'Of the recent runs that ended well or failed, how many ended well: 0 to 1; null: none has ended',
      ),
    recent: z
      .array(
        z.object({
          id: z.number().int(),
          status: z.string(),
          created_at: z.string(),
          duration_ms: z.number().nullable(),
        }),
      )
      .describe(`The newest job runs, newest first, at most ${RUNS_MAX}`),
  })
  .meta({ id: 'JobHealth' });

/** How jobs are doing: what a list of them shows. */
export function registerJobHealthRoutes(app: App, { store }: { readonly store: Store }): void {
  const routes = new Routes(app, { tag: 'Jobs', read: member('viewer', 'jobs:read') });
  routes.get(
    '/api/jobs/health',
    {
      id: 'listJobHealth',
      summary: 'The recent runs, the success rate and the next time of jobs',
      query,
      answer: z.object({ result: z.array(health) }),
    },
    async ({ query: { ids } }) => {
      const runs = await selectRecentJobRuns(store.read, ids, RUNS_MAX);
      const next = await selectNextTimes(store.read, ids);
      return {
        result: ids.map((id) =>
          healthOf(
            id,
            runs.filter(({ job_id }) => job_id === id),
            next.get(id),
          ),
        ),
      };
    },
  );
}

type Run = Awaited<ReturnType<typeof selectRecentJobRuns>>[number];

function healthOf(job_id: number, runs: readonly Run[], next: number | undefined) {
  const well = runs.filter(({ status }) => status === 'success' || status === 'warning').length;
  const failed = runs.filter(({ status }) => status === 'error').length;
  return {
    job_id,
    next_run_at: next === undefined ? null : timestamp(next),
    success_rate: well + failed === 0 ? null : well / (well + failed),
    recent: runs.map(({ id, status, created_at, started_at, ended_at }) => ({
      id,
      status,
      created_at: timestamp(created_at),
      duration_ms: spanMs(started_at, ended_at),
    })),
  };
}
