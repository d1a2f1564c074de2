import { type Command, Option } from 'commander';
import { EXAMPLE_SECONDS_MAX } from '../test/example-limits.ts';
import { jsonOption, toList, withConnection } from './option-values.ts';
import { addVerify } from './verify-command.ts';

const RUN_HELP = `
Connectors are read from connectors.yaml, or from the file given with --connectors:
  shop:      { type: postgres, config: { url: "\${env:SHOP_URL}" } }
  warehouse: { type: sqlite, config: { path: warehouse.db } }
and from --connector, which takes precedence: warehouse=sqlite:warehouse.db, shop=@shop.yaml, shop=postgres:postgres://…

The first Ctrl-C cancels the run, the second kills it.

Example:
  headgate run load-orders.yaml --arg day=2026-01-31 --connector orders=csv:orders.csv --connector db=sqlite:out.db`;

/** Commands that need only files. */
export function addLocalCommands(program: Command): void {
  program
    .command('run')
    .description('run a task from a file, without a server')
    .argument('<task.yaml>', 'task file')
    .option(
      '--arg <name=value>',
      'a task argument; JSON unless it is declared as a string; repeatable',
      toList,
      [],
    )
    .option(
      '--connector <name=…>',
      'a connector: name=@file.yaml or name=type:path-or-url; repeatable',
      toList,
      [],
    )
    .option('--connectors <file>', 'file of connectors (default: connectors.yaml, if it exists)')
    .option('--config <file>', 'YAML or JSON file that expressions read as job_config')
    .option(
      '--file-root <folder...>',
      'folders that file connectors may use (default: the working directory)',
    )
    .option(
      '--plugin <name=command>',
      'a program that airbyte, singer and singer_target connectors may start, in addition to SVC_PLUGINS; repeatable',
      toList,
      [],
    )
    .option(
      '--driver <path>',
      'a custom driver: a path (./ or /) or an npm package, in addition to SVC_DRIVERS; repeatable',
      toList,
      [],
    )
    .option(
      '--task <file>',
      'file of a task run by a run_task step (default: found by name in the files next to the task); repeatable',
      toList,
      [],
    )
    .option('--state <file>', 'file that keeps the cursors of incremental extracts (default: not kept)')
    .option(
      '--dead-letters <file>',
      'file for rejected rows, a JSON object per line; replaced by the next run that rejects rows (default: <task>.dead-letters.ndjson)',
    )
    .addOption(
      new Option('--level <level>', 'lowest level of log lines to print')
        .choices(['debug', 'info', 'warn', 'error'])
        .default('info'),
    )
    .addOption(jsonOption())
    .addHelpText('after', RUN_HELP)
    .action(async (file: string, options: import('../run.ts').RunOptions) => {
      const { startRunner } = await import('../run/start-runner.ts');
      const runner = startRunner(options.connector);
      const { run } = await import('../run.ts');
      process.exitCode = await run(file, options, runner);
    });
  addVerify(program);
  addPreview(program);
  addTest(program);
  addValidate(program);
  addLock(program);
  addDriver(program);
}

function addTest(program: Command): void {
  program
    .command('test')
    .description('run the tests written in task files')
    .argument('<task.yaml...>', 'task files')
    .option('--task <file>', 'file of a task run by a run_task step, as for run; repeatable', toList, [])
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A test lists the rows that the extracts return, and the rows that a step must produce from them:
  tests:
    - name: only paid orders
      input: [{ id: 1, paid: true }, { id: 2, paid: false }]
      expect: [{ id: 1, paid: true }]

No connector is opened. A test fails after ${EXAMPLE_SECONDS_MAX} s, or if it runs out of memory.

Example:
  headgate test tasks/*.yaml`,
    )
    .action(async (files: readonly string[], options: import('../test.ts').TestOptions) => {
      const { test } = await import('../test.ts');
      process.exitCode = await test(files, options);
    });
}

function addLock(program: Command): void {
  program
    .command('lock')
    .description('pin what the script steps of task files import: writes their "lock"')
    .argument('<task.yaml...>', 'task files')
    .option('--upgrade', 'use the newest matching versions instead of the locked ones', false)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Python: uv resolves "dependencies" to exact versions with hashes, for every platform. It is looked up on the PATH, or set with SVC_SCRIPT_UV.
JavaScript: the digest of the package-lock.json of "packages", in their folder from SVC_SCRIPT_PACKAGES.

Example:
  headgate lock clean-orders.yaml`,
    )
    .action(async (files: readonly string[], options: { json: boolean; upgrade: boolean }) => {
      const { lock } = await import('../lock.ts');
      process.exitCode = await lock(files, options);
    });
}

function addDriver(program: Command): void {
  const example = '\nExample:\n  headgate driver test ./tsv-driver.ts';
  const driver = program
    .command('driver')
    .description('develop custom drivers')
    .addHelpText('after', example);
  driver
    .command('new')
    .description('create a working driver as a starting point')
    .argument('<name>', 'its connector type; the file is <name>-driver.ts')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  headgate driver new my_store')
    .action(async (name: string, options: { json: boolean }) => {
      const { newDriver } = await import('../driver/new-driver.ts');
      process.exitCode = await newDriver(name, options);
    });
  driver
    .command('test')
    .description('test a driver against the driver interface, with its own sample')
    .argument('<path>', 'its module, as a path (./ or /), or its npm package')
    .addOption(jsonOption())
    .addHelpText('after', example)
    .action(async (path: string, options: { json: boolean }) => {
      const { testDriver } = await import('../driver/test-driver.ts');
      process.exitCode = await testDriver(path, options);
    });
}

function addPreview(program: Command): void {
  const command = program
    .command('preview')
    .description('show what a task would do with a few rows; nothing is written')
    .argument('<task.yaml>', 'task file')
    .option('--rows <n>', 'rows to read from each source, 1 to 100', '10')
    .option('--record <name>', 'add the preview to the tests of the task file, under this name')
    .option('--arg <name=value>', 'a task argument, as for run; repeatable', toList, [])
    .option(
      '--connector <name=…>',
      'a connector, as for run; with --remote the id or name of a saved one; repeatable',
      toList,
      [],
    )
    .option('--connectors <file>', 'file of connectors (default: connectors.yaml, if it exists)')
    .option('--config <file>', 'YAML or JSON file that expressions read as job_config')
    .option('--remote', 'preview it on the server, with its saved connectors', false)
    .option(
      '--file-root <folder...>',
      'folders that file connectors may use (default: the working directory)',
    )
    .option('--task <file>', 'file of a task run by a run_task step, as for run; repeatable', toList, [])
    .option('--driver <path>', 'a custom driver, as for run; repeatable', toList, [])
    .option(
      '--plugin <name=command>',
      'a program that connectors may start, as for run; repeatable',
      toList,
      [],
    )
    .addHelpText(
      'after',
      `
Extracts, transforms, queries and read-only calls are executed. For all other steps it prints what they would do.

Example:
  headgate preview load-orders.yaml --connector orders=csv:orders.csv --connector db=sqlite:out.db --record "three orders"
  headgate preview load-orders.yaml --remote --connector orders=12 --connector db=Warehouse`,
    );
  withConnection(command).action(
    async (file: string, options: import('../preview.ts').PreviewCommandOptions) => {
      const { preview } = await import('../preview.ts');
      process.exitCode = await preview(file, options);
    },
  );
}

function addValidate(program: Command): void {
  program
    .command('validate')
    .description('check tasks, job templates and dashboards; prints every problem as file:line:column')
    .argument('<file...>', 'YAML files')
    .addOption(
      new Option('--kind <kind>', 'kind of the files (default: detected by their keys)').choices([
        'task',
        'job-template',
        'dashboard',
      ]),
    )
    .option('--driver <path>', 'a custom driver, as for run; repeatable', toList, [])
    .option('--online', 'also check the tables, files and columns used by tasks against the connectors')
    .option('--connector <name=…>', 'with --online: a connector, as for run; repeatable', toList, [])
    .option(
      '--connectors <file>',
      'with --online: file of connectors (default: connectors.yaml, if it exists)',
    )
    .option(
      '--file-root <folder...>',
      'with --online: folders that file connectors may use (default: the working directory)',
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Job templates are also checked against the tasks passed with them or lying next to them, and dashboards against the job template passed with them.

Example:
  headgate validate examples/flights/*.yaml
  headgate validate load-orders.yaml --online --connector db=sqlite:out.db`,
    )
    .action(async (files: readonly string[], options: import('../validate.ts').ValidateOptions) => {
      const { validate } = await import('../validate.ts');
      process.exitCode = await validate(files, options);
    });
}
