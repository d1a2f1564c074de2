import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { requireFound, validationError } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { selectJob } from '../jobs/job-store.ts';
import { RUN_STATUSES } from '../runs/run.ts';
import { selectTask } from '../tasks/task-store.ts';
import type { RunPruning } from './run-pruning.ts';

/** What one call deletes at most, so that it answers soon. */
const DELETED_MAX = 1_000;
/** What one dry run counts at most. */
const COUNTED_MAX = 100_000;

const body = z
  .strictObject({
    ended_before: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('Only those that ended before this time'),
    keep_last: z
      .int()
      .min(0)
      .max(1_000_000)
      .optional()
      .describe(
        'The newest job runs of each job, and the newest runs of each task without a job, that stay; default: none',
      ),
    job_id: z.int().positive().optional().describe('Only of this job'),
    task_id: z.int().positive().optional().describe('Only of this task, and only runs without a job'),
    status: z
      .enum(RUN_STATUSES)
      .exclude(['queued', 'running', 'cancelling'])
      .optional()
      .describe('Only those with this final status'),
    open_dead_letters: z
      .boolean()
      .default(false)
      .describe('Also what has dead letters that nobody has replayed or discarded; they are deleted with it'),
    dry_run: z.boolean().default(false).describe(`Delete nothing, and count, at most ${COUNTED_MAX}`),
  })
  .meta({ examples: [{ ended_before: '2026-01-01T00:00:00Z', keep_last: 10, dry_run: true }] });

const answer = z
  .object({
    dry_run: z.boolean(),
    job_runs: z.number().int(),
    runs: z.number().int().describe('Runs without a job run; those of job runs are not counted'),
    more: z.boolean().describe('There may be more: call it again'),
  })
  .meta({ id: 'PrunedRuns' });

export interface PruneRoutesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly runPruning: RunPruning;
}

/** Deletes many runs by rules, as retention does by its settings. */
export function registerPruneRoutes(app: App, { store, clock, runPruning }: PruneRoutesDeps): void {
  const routes = new Routes(app, { tag: 'Runs', write: member('operator', 'runs:run') });
  routes.post(
    '/api/runs/prune',
    {
      id: 'pruneRuns',
      summary: 'Delete job runs and runs that have ended, by age and number',
      description: `At most ${DELETED_MAX} per call. What is still needed stays: whatever has reruns or replays left, dead letters that are open, a running backfill, or is the last run of a trigger. Logs, metrics and other rows follow in the background.`,
      body,
      answers: { 200: answer },
      errors: ['NOT_FOUND'],
    },
    async (request) => {
      const { ended_before, keep_last, job_id, task_id, status, open_dead_letters, dry_run } = request.body;
      if (ended_before === undefined && keep_last === undefined)
        throw validationError([
          { path: 'ended_before', message: 'Say what may go: "ended_before", "keep_last" or both' },
        ]);
      if (job_id !== undefined) requireFound(await selectJob(store.read, job_id), 'job', job_id);
      if (task_id !== undefined) requireFound(await selectTask(store.read, task_id), 'task', task_id);
      const rules = {
        endedBefore: ended_before === undefined ? null : Date.parse(ended_before),
        keepLast: keep_last ?? 0,
        jobId: job_id,
        taskId: task_id,
        status,
        openDeadLetters: open_dead_letters,
      };
      const limit = dry_run ? COUNTED_MAX : DELETED_MAX;
      const { jobRuns, runs, more } = await runPruning.prune(rules, { dryRun: dry_run, limit });
      const counts = { job_runs: jobRuns, runs };
      if (!dry_run && jobRuns + runs > 0) {
        const diff = { ...request.body, ...counts };
        const entry = { action: 'run.prune', resourceType: 'run', resourceId: null, diff };
        await store.write((tx) => insertAudit(tx, actorOf(request), entry, clock.now()));
      }
      return { dry_run, ...counts, more };
    },
  );
}
