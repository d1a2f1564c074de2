import { parseDuration } from '../../language/yaml/duration.ts';
import { confirm, hasPerson } from '../kit/ask-person.ts';
import { CommandError } from '../kit/command-error.ts';
import { EXIT } from '../kit/exit-code.ts';
import { perform } from '../kit/perform.ts';
import { clientOf, type ServerOptions } from '../server/server-client.ts';

export interface PruneOptions extends ServerOptions {
  readonly olderThan?: string;
  readonly keepLast?: number;
  readonly job?: number;
  readonly task?: number;
  readonly status?: 'success' | 'warning' | 'error' | 'cancelled' | 'skipped';
  readonly openDeadLetters: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
}

/** `headgate prune`: counts which job runs and runs would go, asks, and deletes them in calls of the server's size. */
export async function prune(options: PruneOptions): Promise<number> {
  return perform(options, async (out) => {
    const body = bodyOf(options, Date.now());
    if (!options.dryRun && !options.yes && (out.isJson || !hasPerson()))
      throw new CommandError(
        EXIT.usage,
        'This cannot be confirmed without a terminal: pass --yes, or --dry-run to see what would be deleted',
      );
    const api = clientOf(options);
    const call = (dry_run: boolean) => api.POST('/api/runs/prune', { body: { ...body, dry_run } });
    if (options.dryRun || !options.yes) {
      const counted = await call(true);
      out.line(`${said(counted)} would be deleted.`);
      if (options.dryRun && out.isJson) out.json(counted);
      if (options.dryRun || counted.job_runs + counted.runs === 0) return EXIT.ok;
      if (!(await confirm('Delete them?'))) {
        out.error('Nothing was deleted.');
        return EXIT.failed;
      }
    }
    const total = { job_runs: 0, runs: 0 };
    for (let more = true; more; ) {
      const deleted = await call(false);
      total.job_runs += deleted.job_runs;
      total.runs += deleted.runs;
      more = deleted.more;
    }
    out.line(`${said({ ...total, more: false })} deleted.`);
    if (out.isJson) out.json({ dry_run: false, ...total, more: false });
    return EXIT.ok;
  });
}

function said({ job_runs, runs, more }: { job_runs: number; runs: number; more: boolean }): string {
  return `${more ? 'At least ' : ''}${job_runs} job run(s) and ${runs} run(s) without a job`;
}

/** The moment is that of the call, so that every request of it means the same. */
function bodyOf({ olderThan, keepLast, job, task, status, openDeadLetters }: PruneOptions, now: number) {
  if (olderThan === undefined && keepLast === undefined)
    throw new CommandError(EXIT.usage, 'Choose what to delete: --older-than, --keep-last or both');
  const age = olderThan === undefined ? null : parseDuration(olderThan);
  if (olderThan !== undefined && age === null)
    throw new CommandError(EXIT.usage, `--older-than "${olderThan}" must be a duration such as 30d or 12h`);
  return {
    ...(age !== null && { ended_before: new Date(now - age).toISOString() }),
    ...(keepLast !== undefined && { keep_last: keepLast }),
    ...(job !== undefined && { job_id: job }),
    ...(task !== undefined && { task_id: task }),
    ...(status !== undefined && { status }),
    open_dead_letters: openDeadLetters,
  };
}
