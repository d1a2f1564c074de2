import { timestamp } from '../../base/clock.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { RunError } from '../runs/run.ts';
import type { WebhookEvent } from '../webhooks/webhook-event.ts';
import type { ChannelPayload, Failure } from './notice.ts';

/** What made a job run fail; null where no task run did. */
async function selectFailure(db: Db, jobRunId: number): Promise<Failure | null> {
  const row = await db
    .selectFrom('job_runs')
    .innerJoin('runs', 'runs.id', 'job_runs.failed_run_id')
    .select(['runs.id', 'runs.task_name', 'runs.error_json'])
    .where('job_runs.id', '=', jobRunId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const error = row.error_json === null ? null : (JSON.parse(row.error_json) as RunError);
  return {
    run_id: row.id,
    task: row.task_name,
    step: error?.step ?? null,
    message: error === null ? '' : `${error.code}: ${error.message}`,
  };
}

/** The body of an event for channels: that of webhooks, with what made the job run fail. */
export async function channelBody(tx: Tx, event: WebhookEvent, now: number): Promise<string> {
  const hasFailure =
    event.type === 'job_run.failed' || event.type === 'run.failing' || event.type === 'trigger.paused';
  const failure = hasFailure ? await selectFailure(tx, event.data.job_run_id) : null;
  const payload = { type: event.type, timestamp: timestamp(now), data: event.data, failure };
  return JSON.stringify(payload satisfies Record<keyof ChannelPayload, unknown>);
}
