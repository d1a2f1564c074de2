import { type Command, Option } from 'commander';
import { connectionOptions, toCount, toId } from './option-values.ts';

/** Commands that use a server as anybody outside would. */
export function addServerCommands(program: Command): void {
  const logs = program
    .command('logs')
    .description('print the log of a run; with -f until it has ended, and end as it did (0 or 1)')
    .argument('<run-id>', 'id of the run', toId)
    .option('-f, --follow', 'go on until the run has ended', false)
    .addOption(
      new Option('--level <level>', 'least level of lines').choices(['debug', 'info', 'warn', 'error']),
    )
    .option('--since-seq <seq>', 'only lines after this one: attempt.seq, or a seq of the first attempt')
    .addHelpText('after', '\nExample:\n  headgate logs 4711 -f --level warn');
  for (const option of connectionOptions()) logs.addOption(option);
  logs.action(async (id: number, options: import('../logs.ts').LogsOptions) => {
    const command = await import('../logs.ts');
    process.exitCode = await command.logs(id, options);
  });

  const backfill = program
    .command('backfill')
    .description('run past times of a trigger: shows the plan, asks, and submits exactly that')
    .argument('<trigger-id>', 'id of the trigger', toId)
    .requiredOption('--from <time>', 'the first time: a day in UTC, or a time with its zone')
    .requiredOption('--to <time>', 'the end, which is not run itself')
    .addOption(
      new Option('--reprocess <which>', 'times that nothing ran for, that failed, or all')
        .choices(['missed', 'failed', 'all'])
        .default('missed'),
    )
    .option('--max-active <n>', 'its job runs at once', toCount, 1)
    .option('--newest-first', 'begin with the newest time', false)
    .option('--dry-run', 'only show the plan', false)
    .option('-y, --yes', 'do not ask', false)
    .option('--watch', 'follow it to its end; exit code 1 where a run has failed', false)
    .addHelpText(
      'after',
      '\nExample:\n  headgate backfill 3 --from 2026-01-01 --to 2026-02-01 --reprocess failed',
    );
  for (const option of connectionOptions()) backfill.addOption(option);
  backfill.action(async (id: number, options: import('../backfill.ts').BackfillOptions) => {
    const command = await import('../backfill.ts');
    process.exitCode = await command.backfill(id, options);
  });
}
