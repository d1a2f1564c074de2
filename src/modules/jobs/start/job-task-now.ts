import type { TaskNow } from '../../dead-letters/replay-groups.ts';
import { nodeRun } from '../../job-runs/job-run-advance.ts';
import { selectPins } from '../../job-runs/node-pins.ts';
import { toRunnable } from '../job.ts';
import { selectJob } from '../job-store.ts';
import { runArgs } from './run-args.ts';

/** The current task of a job's node: pinned version or override, configuration and connectors. */
export const jobTaskNow: TaskNow = async (db, { jobId, taskKey, args, priority, scheduledFor }) => {
  const row = await selectJob(db, jobId);
  const job = row === null ? null : toRunnable(row);
  const node = job?.parsed.tasks.find(({ key }) => key === taskKey);
  if (job === null || node === undefined) return null;
  const pins = (await selectPins(db, [job])).get(jobId) ?? {};
  const plan = { ...job.parsed, pins, mapping: job.mapping };
  return nodeRun(
    {
      id: null,
      job_id: jobId,
      reason: 'manual',
      args_json: JSON.stringify(runArgs(job.parsed, args)),
      config_json: JSON.stringify(job.config),
      scheduled_for: scheduledFor,
      priority,
    },
    plan,
    { node, skip: null },
  );
};
