import { type Command, InvalidArgumentError, Option } from 'commander';
import { jsonOption, toCount, toList } from './option-values.ts';

const HELP = `
Compares the rows of two tables by key, inside the databases where they can compute digests, and prints the rows that differ, are missing or
are surplus. With the file of a task as the only argument, compares what its extract reads with what its load has written.
Connectors are read as for run.

Exit code 0: equal; 3: different; 1: could not be compared.

Example:
  headgate verify shop.orders warehouse.orders --key id
  headgate verify shop.orders warehouse.sales.orders --key id=order_id --columns total,paid_at --sample 0.05
  headgate verify load-orders.yaml --connector orders=csv:orders.csv --connector db=sqlite:out.db`;

/** `verify`, which needs no server. */
export function addVerify(program: Command): void {
  program
    .command('verify')
    .description('compare a target with its source, and list the rows that differ')
    .argument('<source>', 'connector.object, or the file of a task')
    .argument('[target]', 'connector.object')
    .option(
      '--key <columns>',
      'columns that identify a row: id, id,day, or id=order_id; default for a task: the key of its load',
    )
    .option('--columns <columns>', 'columns to compare (default: all that both have)')
    .option('--filter <json>', 'conditions for both sides, such as {"day": {"gte": "2026-01-01"}}')
    .option('--sample <share>', 'share of the keys to compare, such as 0.05 (default: all)', toShare)
    .addOption(new Option('--surplus <what>', 'rows that only the target has').choices(['report', 'ignore']))
    .option('--list <n>', 'rows that differ to list (default: 100)', toCount)
    .addOption(
      new Option(
        '--on-difference <what>',
        'what follows where rows differ: reload merges them into the target again',
      )
        .choices(['fail', 'warn', 'reload'])
        .default('fail'),
    )
    .option('--step <id>', 'of a task with several loads: the load to compare')
    .option('--arg <name=value>', 'a task argument, as for run; repeatable', toList, [])
    .option('--connector <name=…>', 'a connector, as for run; repeatable', toList, [])
    .option('--connectors <file>', 'file of connectors (default: connectors.yaml, if it exists)')
    .option('--config <file>', 'YAML or JSON file that expressions read as job_config')
    .option(
      '--file-root <folder...>',
      'folders that file connectors may use (default: the working directory)',
    )
    .option('--plugin <name=command>', 'a program that plug-in connectors may start; repeatable', toList, [])
    .option('--driver <path>', 'a custom driver, as for run; repeatable', toList, [])
    .addOption(
      new Option('--level <level>', 'lowest level of log lines to print')
        .choices(['debug', 'info', 'warn', 'error'])
        .default('warn'),
    )
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action(
      async (source: string, target: string | undefined, options: import('../verify.ts').VerifyOptions) => {
        const { startRunner } = await import('../run/start-runner.ts');
        const runner = startRunner(options.connector);
        const { verify } = await import('../verify.ts');
        process.exitCode = await verify(source, target, { ...options, task: [] }, runner);
      },
    );
}

function toShare(text: string): number {
  const share = Number(text);
  if (text.trim() === '' || !(share > 0 && share <= 1))
    throw new InvalidArgumentError('must be a share, from 0.001 to 1');
  return share;
}
