import { type Command, Option } from 'commander';
import { connectionOptions, toList } from './option-values.ts';

const EXPORT_HELP = `
The same definitions give the same bytes; secrets are never among them. A template brings the tasks that it names.
With --json the bundle is a field of one JSON value, which POST /api/import takes as it is.

Example:
  headgate export --all --out headgate.yaml`;

const APPLY_HELP = `
It shows a line for each definition, the differences, and what is wrong; then it asks, and applies exactly that plan: all of it or
nothing. Where the server has changed meanwhile, nothing is applied, the new plan is shown, and the exit code is 1.

Exit codes of --dry-run: 0 the plan can be applied, 1 something blocks it, 3 with --fail-on-changes where it would change something.

Example:
  headgate export --all > headgate.yaml
  headgate apply headgate.yaml --dry-run
  headgate apply headgate.yaml`;

/** Definitions of a server out of it and into it, as bundles. */
export function addBundleCommands(program: Command): void {
  const exporting = program
    .command('export')
    .description('print tasks and job templates as a bundle, for Git or another server')
    .option('--task <name>', 'a task, by its name; may be given again', toList, [])
    .option(
      '--template <name>',
      'a job template with its tasks and dashboards; may be given again',
      toList,
      [],
    )
    .option('--all', 'every task and job template that is not archived', false)
    .option(
      '--connectors',
      'also the connectors that jobs of the templates bind (with --all: every one), without secrets',
      false,
    )
    .addOption(
      new Option('--format <format>', 'one YAML document, or a zip with a file for each text')
        .choices(['yaml', 'zip'])
        .default('yaml'),
    )
    .option('--out <file>', 'file that is replaced whole; - is standard output', '-')
    .addHelpText('after', EXPORT_HELP);
  for (const option of connectionOptions()) exporting.addOption(option);
  exporting.action(async (options: import('../export.ts').ExportOptions) => {
    const command = await import('../export.ts');
    process.exitCode = await command.exportBundle(options);
  });

  const applying = program
    .command('apply')
    .description('bring a bundle onto a server: shows the plan, asks, and applies exactly that')
    .argument('<bundle>', 'a bundle in YAML or zip; - is standard input')
    .option('--dry-run', 'only show the plan; exit code 1 where something blocks it', false)
    .option('--fail-on-changes', 'with --dry-run: exit code 3 where something would change', false)
    .addOption(
      new Option('--conflict <policy>', 'what becomes of definitions that are there and differ')
        .choices(['update', 'fail', 'skip', 'rename'])
        .default('update'),
    )
    .addOption(
      new Option(
        '--connector-missing <policy>',
        'connectors that are not there: made without secrets, or refused',
      )
        .choices(['stub', 'fail'])
        .default('stub'),
    )
    .option('-y, --yes', 'do not ask', false)
    .addHelpText('after', APPLY_HELP);
  for (const option of connectionOptions()) applying.addOption(option);
  applying.action(async (file: string, options: import('../apply.ts').ApplyOptions) => {
    const command = await import('../apply.ts');
    process.exitCode = await command.apply(file, options);
  });
}
