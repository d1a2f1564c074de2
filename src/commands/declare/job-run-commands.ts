import { type Command, Option } from 'commander';
import type { JOB_RUN_STATUSES } from '../operate/job-runs.ts';
import { LABEL_HELP, LIST_LIMIT, toCount, toId, toList, withConnection } from './option-values.ts';

const RUN_STATUSES: typeof JOB_RUN_STATUSES = [
  'queued',
  'running',
  'cancelling',
  'success',
  'warning',
  'error',
  'cancelled',
];

/** `headgate runs`, which lists job runs or shows one, and what is below it. */
export function addJobRuns(program: Command): void {
  const runs = program
    .command('runs')
    .description('list job runs, or show one, or the parts of one of its runs')
    .addHelpText('after', '\nExample:\n  headgate runs 71 --watch');
  const list = runs
    .command('list', { isDefault: true })
    .description('list job runs, newest first; with an id, show that one, its tasks and its error')
    .argument('[job-run-id]', 'id of the job run', toId)
    .option('--job <job>', 'filter by job, by id or name')
    .addOption(new Option('--status <status>', 'filter by status').choices(RUN_STATUSES))
    .option('--label <label>', LABEL_HELP, toList, [])
    .option('--limit <n>', 'maximum number of entries', toCount, LIST_LIMIT)
    .option(
      '--watch',
      'follow the job run to its end, exit code 1 if it failed; without an id, refresh the list on changes',
      false,
    )
    .addHelpText(
      'after',
      '\nExample:\n  headgate runs --job nightly --status error\n  headgate runs 71 --watch',
    );
  withConnection(list).action(
    async (id: number | undefined, options: import('../operate/job-runs.ts').JobRunsOptions) => {
      const command = await import('../operate/job-runs.ts');
      process.exitCode = await command.jobRuns(id, options);
    },
  );
  const parts = runs
    .command('parts')
    .description('list the parts of a run whose extract has “partition”, and which executor has each')
    .argument('<run-id>', 'id of the run of a task, as “headgate runs ID” shows it', toId)
    .addHelpText('after', '\nExample:\n  headgate runs parts 412');
  withConnection(parts).action(
    async (id: number, options: import('../server/server-client.ts').ServerOptions) => {
      const command = await import('../operate/run-parts.ts');
      process.exitCode = await command.listRunParts(id, options);
    },
  );
}
