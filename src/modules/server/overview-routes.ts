import { z } from 'zod';
import { timestamp } from '../../base/clock.ts';
import { member } from '../../http/access.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import { selectNow } from '../../store/select-now.ts';
import type { Store } from '../../store/store.ts';
import { labelFilter } from '../definitions/label.ts';
import { OPEN_LETTERS_MAX, type QueueFigures } from '../health/queue-figures.ts';
import { toJobRun } from '../job-runs/job-run.ts';
import { jobRunRecord } from '../job-runs/job-run-routes.ts';
import {
  LATE_AFTER,
  selectEndedJobRuns,
  selectFailingJobRuns,
  selectLateJobRuns,
  selectLateTriggers,
  selectNewestLetters,
  selectNextTriggers,
  selectRunningJobRuns,
} from './overview-store.ts';

const SHOWN_MAX = 10;
/** Of what needs no attention. */
const GLANCED_MAX = 5;
const LETTERS_MAX = 5;
const FAILED_SINCE_MS = 24 * 3_600_000;

const count = z.number().int();
const jobRun = jobRunRecord.pick({
  id: true,
  job_id: true,
  job_name: true,
  job_labels: true,
  trigger_name: true,
  status: true,
  reason: true,
  error: true,
  created_at: true,
  started_at: true,
  ended_at: true,
  sla_at: true,
});
const lateTrigger = z.object({
  id: count,
  name: z.string(),
  job_id: count,
  job_name: z.string(),
  due_at: z.string().describe('When its run should have begun; of a paused one, since when it is paused'),
  job_run_id: count.nullable(),
  reason: z
    .enum(['not_fired', 'not_started', 'paused'])
    .describe(
      'not_fired: its time is past by more than a minute, and no run was made; not_started: its last run is in the queue for more than five minutes; paused: it was disabled after failures',
    ),
});
const nextTrigger = lateTrigger
  .pick({ id: true, name: true, job_id: true, job_name: true })
  .extend({ due_at: z.string().describe('When it starts its next run') });
const newestLetter = z.object({
  id: count,
  run_id: count,
  job_id: count.nullable(),
  job_name: z.string().nullable(),
  task_name: z.string(),
  step_id: z.string(),
  code: z.string(),
  message: z.string(),
  created_at: z.string(),
});
const overview = z
  .object({
    running: z.array(jobRun).describe('Job runs in progress, newest first'),
    failing: z
      .array(jobRun)
      .describe('The last runs of jobs, if they failed in the last 24 hours, newest first'),
    late: z.array(lateTrigger).describe('Triggers with an overdue run, the longest overdue first'),
    late_runs: z
      .array(jobRun)
      .describe('Job runs past the sla of their template that have not ended, the longest overdue first'),
    recent: z.array(jobRun).describe('Job runs that have ended, newest first'),
    upcoming: z.array(nextTrigger).describe('Triggers by the time of their next run'),
    queue: z.object({
      ready: count.describe('Runs that an executor may take'),
      delayed: count.describe('Runs scheduled for later'),
      running: count,
      oldest_ready_ms: z.number().describe('Waiting time of the oldest ready run'),
    }),
    executors: z.object({ online: count, draining: count, lost: count }),
    dead_letters: z.object({
      open: count.describe(`Counted up to ${OPEN_LETTERS_MAX}`),
      newest: z.array(newestLetter),
    }),
  })
  .meta({ id: 'Overview' });

export interface OverviewRoutesDeps {
  readonly store: Store;
  readonly figures: () => Promise<QueueFigures>;
}

export function registerOverviewRoutes(app: App, { store, figures }: OverviewRoutesDeps): void {
  const routes = new Routes(app, { tag: 'Server', read: member('viewer', 'runs:read') });
  routes.get(
    '/api/server/overview',
    {
      id: 'getOverview',
      summary:
        'What runs, what failed and is not well again, what is late, what ended and what comes next, the queue and the newest dead letters',
      description: `Each list has at most ${SHOWN_MAX} entries; \`recent\` and \`upcoming\` ${GLANCED_MAX}, that of dead letters ${LETTERS_MAX}. With \`label\` they hold what belongs to jobs with it; the queue, the executors and the number of open dead letters are those of the server.`,
      query: z.strictObject({ label: labelFilter }),
      answer: overview,
    },
    async ({ query: { label = [] } }) => {
      const { read, dialect } = store;
      const now = await selectNow(read, dialect);
      const { depth, oldestReadyMs, runs, executors, openLetters } = await figures();
      const late = await selectLateTriggers(read, label, { now, ...LATE_AFTER }, SHOWN_MAX);
      const upcoming = await selectNextTriggers(read, label, now, GLANCED_MAX);
      const letters = await selectNewestLetters(read, label, LETTERS_MAX);
      return {
        running: (await selectRunningJobRuns(read, label, SHOWN_MAX)).map(toJobRun),
        failing: (await selectFailingJobRuns(read, label, now - FAILED_SINCE_MS, SHOWN_MAX)).map(toJobRun),
        late_runs: (await selectLateJobRuns(read, label, SHOWN_MAX)).map(toJobRun),
        recent: (await selectEndedJobRuns(read, label, GLANCED_MAX)).map(toJobRun),
        upcoming: upcoming.map((trigger) => ({ ...trigger, due_at: timestamp(trigger.due_at) })),
        late: late.map((trigger) => ({ ...trigger, due_at: timestamp(trigger.due_at) })),
        queue: { ...depth, running: runs.running, oldest_ready_ms: oldestReadyMs },
        executors,
        dead_letters: {
          open: openLetters,
          newest: letters.map((letter) => ({ ...letter, created_at: timestamp(letter.created_at) })),
        },
      };
    },
  );
}
