import { type Command, Option } from 'commander';
import { toCount, toId, withConnection } from './option-values.ts';

/** Commands that are clients of a server’s REST API. */
export function addServerCommands(program: Command): void {
  const logs = program
    .command('logs')
    .description('print a run’s log; with -f, follow it to its end and exit with 0, or 1 if the run failed')
    .argument('<run-id>', 'id of the run', toId)
    .option('-f, --follow', 'follow the log until the run ends', false)
    .addOption(
      new Option('--level <level>', 'lowest level of lines to print').choices([
        'debug',
        'info',
        'warn',
        'error',
      ]),
    )
    .option(
      '--since-seq <seq>',
      'only lines after this sequence number: attempt.seq, or seq for the first attempt',
    )
    .addHelpText('after', '\nExample:\n  headgate logs 4711 -f --level warn');
  withConnection(logs).action(async (id: number, options: import('../runs/logs.ts').LogsOptions) => {
    const command = await import('../runs/logs.ts');
    process.exitCode = await command.logs(id, options);
  });

  const backfill = program
    .command('backfill')
    .description('run past times of a trigger: prints the plan, asks, then submits exactly that plan')
    .argument('<trigger-id>', 'id of the trigger', toId)
    .requiredOption('--from <time>', 'start of the range, inclusive: a UTC day or a time with its zone')
    .requiredOption('--to <time>', 'end of the range, exclusive')
    .addOption(
      new Option('--reprocess <which>', 'times that never ran, times that failed, or all times')
        .choices(['missed', 'failed', 'all'])
        .default('missed'),
    )
    .option('--max-active <n>', 'maximum concurrent job runs', toCount, 1)
    .option('--newest-first', 'start with the newest time', false)
    .option('--dry-run', 'only print the plan', false)
    .option('-y, --yes', 'submit without asking', false)
    .option('--watch', 'follow the backfill to its end; exit code 1 if a run failed', false)
    .addHelpText(
      'after',
      '\nExample:\n  headgate backfill 3 --from 2026-01-01 --to 2026-02-01 --reprocess failed',
    );
  withConnection(backfill).action(
    async (id: number, options: import('../runs/backfill.ts').BackfillOptions) => {
      const command = await import('../runs/backfill.ts');
      process.exitCode = await command.backfill(id, options);
    },
  );
  addPrune(program);
}

function addPrune(program: Command): void {
  const prune = program
    .command('prune')
    .description('delete job runs and runs by age and count: prints the counts, asks, then deletes')
    .option('--older-than <duration>', 'only those that ended longer ago than this, such as 30d or 12h')
    .option(
      '--keep-last <n>',
      'newest job runs of each job, and runs of each task without a job, to keep',
      toCount,
    )
    .option('--job <id>', 'only of this job', toId)
    .option('--task <id>', 'only of this task, and only runs without a job', toId)
    .addOption(
      new Option('--status <status>', 'filter by final status').choices([
        'success',
        'warning',
        'error',
        'cancelled',
        'skipped',
      ]),
    )
    .option('--open-dead-letters', 'include those with open dead letters', false)
    .option('--dry-run', 'only print the counts', false)
    .option('-y, --yes', 'delete without asking', false)
    .addHelpText('after', '\nExample:\n  headgate prune --older-than 30d --keep-last 10 --job 3 --dry-run');
  withConnection(prune).action(async (options: import('../runs/prune.ts').PruneOptions) => {
    const command = await import('../runs/prune.ts');
    process.exitCode = await command.prune(options);
  });
}
