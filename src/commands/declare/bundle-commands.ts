import { type Command, Option } from 'commander';
import { toList, withConnection } from './option-values.ts';

const EXPORT_HELP = `
The same definitions always produce the same bytes. Secrets are never exported. A template includes the tasks it uses.
With --json the bundle is one field of a JSON object, which can be sent to POST /api/import unchanged.

Example:
  headgate export --all --out headgate.yaml`;

const APPLY_HELP = `
It prints one line per definition, the diffs and any problems, then asks and applies exactly that plan: all of it or nothing. If
the server has changed in the meantime, nothing is applied, the new plan is printed, and the exit code is 1.

Exit codes of --dry-run: 0 the plan can be applied, 1 it is blocked, 3 it contains changes (with --fail-on-changes).

Example:
  headgate export --all > headgate.yaml
  headgate apply headgate.yaml --dry-run
  headgate apply headgate.yaml`;

/** Exporting definitions from a server and importing them, as bundles. */
export function addBundleCommands(program: Command): void {
  const exporting = program
    .command('export')
    .description('export tasks and job templates as a bundle, for Git or another server')
    .option('--task <name>', 'a task, by name; repeatable', toList, [])
    .option(
      '--template <name>',
      'a job template, by name, with its tasks and dashboards; repeatable',
      toList,
      [],
    )
    .option('--all', 'all tasks and job templates that are not archived', false)
    .option(
      '--connectors',
      'include the connectors that jobs of the templates use (with --all: every connector), without secrets',
      false,
    )
    .addOption(
      new Option('--format <format>', 'one YAML document, or a zip with one file per definition')
        .choices(['yaml', 'zip'])
        .default('yaml'),
    )
    .option('--out <file>', 'file to write, atomically; - is standard output', '-')
    .addHelpText('after', EXPORT_HELP);
  withConnection(exporting).action(async (options: import('../export.ts').ExportOptions) => {
    const command = await import('../export.ts');
    process.exitCode = await command.exportBundle(options);
  });

  const applying = program
    .command('apply')
    .description('import a bundle: prints the plan with diffs, asks, then applies exactly that plan')
    .argument('<bundle>', 'a bundle in YAML or zip; - is standard input')
    .option('--dry-run', 'only print the plan; exit code 1 if it is blocked', false)
    .option('--fail-on-changes', 'with --dry-run: exit code 3 if the plan contains changes', false)
    .addOption(
      new Option('--conflict <policy>', 'what to do with existing definitions that differ')
        .choices(['update', 'fail', 'skip', 'rename'])
        .default('update'),
    )
    .addOption(
      new Option(
        '--connector-missing <policy>',
        'what to do with missing connectors: create them without secrets, or fail',
      )
        .choices(['stub', 'fail'])
        .default('stub'),
    )
    .option('-y, --yes', 'apply without asking', false)
    .addHelpText('after', APPLY_HELP);
  withConnection(applying).action(async (file: string, options: import('../apply.ts').ApplyOptions) => {
    const command = await import('../apply.ts');
    process.exitCode = await command.apply(file, options);
  });
}
