import type { Client } from '../../client/create-client.ts';
import type { CommandOutput } from '../kit/command-output.ts';
import { EXIT } from '../kit/exit-code.ts';
import { perform } from '../kit/perform.ts';
import { clientOf, type ServerOptions } from '../server/server-client.ts';
import { cell, durationCell, printTable, timeCell } from './cells.ts';
import { jobIdOf } from './find-by-name.ts';
import { firstOf, tellMore } from './first-of.ts';
import { exitCodeOf, readJobRun, showJobRun, watchJobRun } from './job-run-screen.ts';
import { watchList } from './watch-list.ts';

export const JOB_RUN_STATUSES = [
  'queued',
  'running',
  'cancelling',
  'success',
  'warning',
  'error',
  'cancelled',
] as const;

export interface JobRunsOptions extends ServerOptions {
  /** Id or name. */
  readonly job?: string;
  readonly status?: (typeof JOB_RUN_STATUSES)[number];
  /** `name:value`, or `name` whatever its value; of jobs with all of them. */
  readonly label: readonly string[];
  readonly limit: number;
  readonly watch: boolean;
}

/** `headgate runs`: the newest job runs; with an id that one, its tasks and its error. `watch` follows it to its end, and keeps showing a list. */
export async function jobRuns(id: number | undefined, options: JobRunsOptions): Promise<number> {
  return perform(options, async (out) => {
    const api = clientOf(options);
    if (id === undefined) {
      const show = (page: CommandOutput) => showJobRuns(api, options, page);
      if (options.watch) return watchList(out, show);
      await show(out);
      return EXIT.ok;
    }
    const jobRun = options.watch ? await watchJobRun(api, id, out) : await readJobRun(api, id);
    showJobRun(jobRun, out);
    return options.watch ? exitCodeOf(jobRun) : EXIT.ok;
  });
}

async function showJobRuns(api: Client, options: JobRunsOptions, out: CommandOutput): Promise<void> {
  const { records, hasMore } = await newest(api, options);
  if (out.isJson) out.json({ result: records });
  const rows = records.map((run) => [
    String(run.id),
    cell(run.job_name),
    run.late_at === null ? run.status : `${run.status}, late`,
    cell(run.trigger_name ?? run.created_by),
    timeCell(run.created_at),
    durationCell(run.duration_ms),
    cell(run.error?.message),
  ]);
  printTable(out, ['id', 'job', 'status', 'started by', 'created', 'took', 'error'], rows, {
    textColumns: 7,
    none: 'No matching job runs.',
  });
  tellMore(out, hasMore);
}

async function newest(api: Client, { job, status, label, limit }: JobRunsOptions) {
  const jobId = job === undefined ? null : await jobIdOf(api, job);
  return firstOf(limit, (limit, cursor) => {
    const query = {
      limit,
      sort: '-id' as const,
      ...(cursor !== undefined && { cursor }),
      ...(jobId !== null && { job_id: jobId }),
      ...(status !== undefined && { status }),
      ...(label.length > 0 && { label: [...label] }),
    };
    return api.GET('/api/job-runs', { params: { query } });
  });
}
