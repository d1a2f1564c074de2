import { type Command, Option } from 'commander';
import { toList, withConnection } from './option-values.ts';

const UPGRADE_HELP = `
It prints what changes in each job and what blocks it, asks, then applies exactly those plans: each job completely or not at all.
Blocked jobs, and jobs that change in the meantime, stay as they are.

Exit codes: 0 done or up to date, 1 a job is blocked or was not upgraded, 3 a plan contains changes (--dry-run --fail-on-changes).

Example:
  headgate upgrade "Nord: orders" --dry-run --diff
  headgate upgrade --template orders --only tasks --yes`;

/** `headgate upgrade`. */
export function addUpgrade(program: Command): void {
  const upgrade = program
    .command('upgrade')
    .description('upgrade jobs to the current template, tasks and dashboards: prints the plan, asks, applies')
    .argument('[job...]', 'ids or names of jobs')
    .option('--template <template>', 'all active jobs of this job template, by id or name')
    .addOption(
      new Option('--only <part...>', 'upgrade only these parts').choices(['template', 'tasks', 'dashboards']),
    )
    .option(
      '--connector <name=…>',
      'for a connector that the new template needs: name=<id or name of a saved one>; repeatable',
      toList,
      [],
    )
    .option('--config <file>', 'YAML or JSON file that is merged over the configuration of each job')
    .option('--force', 'also overwrite dashboards that were modified in the job', false)
    .option('--diff', 'print the differences of all texts', false)
    .option('--dry-run', 'only print the plan; exit code 1 if a job is blocked', false)
    .option('--fail-on-changes', 'with --dry-run: exit code 3 if a plan contains changes', false)
    .option('-y, --yes', 'upgrade without asking', false)
    .addHelpText('after', UPGRADE_HELP);
  withConnection(upgrade).action(
    async (jobs: readonly string[], options: import('../operate/upgrade/upgrade.ts').UpgradeOptions) => {
      const command = await import('../operate/upgrade/upgrade.ts');
      process.exitCode = await command.upgrade(jobs, options);
    },
  );
}
