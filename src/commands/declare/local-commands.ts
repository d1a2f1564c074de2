import { type Command, Option } from 'commander';
import { EXAMPLE_SECONDS_MAX } from '../test/example-limits.ts';
import { jsonOption, toList } from './option-values.ts';

const RUN_HELP = `
Connectors come from connectors.yaml, or the file of --connectors:
  shop:      { type: postgres, config: { url: "\${env:SHOP_URL}" } }
  warehouse: { type: sqlite, config: { path: warehouse.db } }
and from --connector, which wins: warehouse=sqlite:warehouse.db, shop=@shop.yaml, shop=postgres:postgres://…

The first Ctrl-C cancels the run, the second kills it.

Example:
  headgate run load-orders.yaml --arg day=2026-01-31 --connector orders=csv:orders.csv --connector db=sqlite:out.db`;

/** Commands that need nothing but files. */
export function addLocalCommands(program: Command): void {
  program
    .command('run')
    .description('run a task from a file, without a server')
    .argument('<task.yaml>', 'the task')
    .option(
      '--arg <name=value>',
      'an argument of the task; JSON where it is declared as no string',
      toList,
      [],
    )
    .option('--connector <name=…>', 'a connector: name=@file.yaml or name=type:path-or-url', toList, [])
    .option('--connectors <file>', 'a file of connectors (default: connectors.yaml, where it is there)')
    .option('--config <file>', 'what expressions read as job_config: a map in YAML or JSON')
    .option(
      '--file-root <folder...>',
      'folders that file connectors may use (default: the working directory)',
    )
    .option('--state <file>', 'where cursors of incremental extracts are kept (default: not at all)')
    .option('--dead-letters <file>', 'where rows go that do not fit (default: <task>.dead-letters.ndjson)')
    .addOption(
      new Option('--level <level>', 'least level of log lines')
        .choices(['debug', 'info', 'warn', 'error'])
        .default('info'),
    )
    .addOption(jsonOption())
    .addHelpText('after', RUN_HELP)
    .action(async (file: string, options: import('../run.ts').RunOptions) => {
      const { run } = await import('../run.ts');
      process.exitCode = await run(file, options);
    });
  program
    .command('test')
    .description('run the examples that tasks hold (their "tests")')
    .argument('<task.yaml...>', 'tasks')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A test gives the rows of the extracts, and the rows that a step must make of them:
  tests:
    - name: only paid orders
      input: [{ id: 1, paid: true }, { id: 2, paid: false }]
      expect: [{ id: 1, paid: true }]

No connector is opened. An example that has not ended after ${EXAMPLE_SECONDS_MAX} s, or needs too much memory, does not hold.

Example:
  headgate test tasks/*.yaml`,
    )
    .action(async (files: readonly string[], options: { json: boolean }) => {
      const { test } = await import('../test.ts');
      process.exitCode = await test(files, options);
    });
  program
    .command('validate')
    .description('check tasks, job templates and dashboards, with file:line:column of every problem')
    .argument('<file...>', 'YAML documents')
    .addOption(
      new Option('--kind <kind>', 'what they are (default: by their keys)').choices([
        'task',
        'job-template',
        'dashboard',
      ]),
    )
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  headgate validate examples/flights/*.yaml')
    .action(async (files: readonly string[], options: import('../validate.ts').ValidateOptions) => {
      const { validate } = await import('../validate.ts');
      process.exitCode = await validate(files, options);
    });
}
