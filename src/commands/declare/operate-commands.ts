import { type Command, Option } from 'commander';
import type { LETTER_STATUSES } from '../operate/dead-letters.ts';
import { addJobRuns } from './job-run-commands.ts';
import { jsonOption, toCount, toId, toList, withConnection } from './option-values.ts';

const STATUSES_OF_LETTERS: typeof LETTER_STATUSES = ['open', 'replaying', 'replayed', 'discarded'];
const LIMIT = 20;

/** Commands for those who operate a server from a terminal. */
export function addOperateCommands(program: Command): void {
  addLogin(program);
  addJobs(program);
  addJobRuns(program);
  addRunChanges(program);
  addDeadLetters(program);
  addConnectors(program);
  addExecutors(program);
  addShareLink(program);
}

function addLogin(program: Command): void {
  const login = program
    .command('login')
    .description('keep a server’s address and an API key for the commands below')
    .addHelpText(
      'after',
      `
The key is prompted for, or read from standard input. It is tried first, then kept in a file that only you can read:
$XDG_CONFIG_HOME/headgate/login.json, or ~/.config/headgate/login.json. SVC_SERVER, SVC_TOKEN, --server and --token go before it.

Example:
  headgate login --server https://headgate.example.com`,
    );
  withConnection(login).action(async (options: import('../server/server-client.ts').ServerOptions) => {
    const command = await import('../server/login.ts');
    process.exitCode = await command.login(options);
  });
  program
    .command('logout')
    .description('forget the address and the key that login has kept')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  headgate logout')
    .action(async (options: { json: boolean }) => {
      const command = await import('../server/login.ts');
      process.exitCode = await command.logout(options);
    });
}

function addJobs(program: Command): void {
  const jobs = program
    .command('jobs')
    .description('list jobs, how their runs went, and when the next one starts')
    .argument('[name]', 'part of the name')
    .addOption(new Option('--status <status>', 'only such jobs').choices(['active', 'archived']))
    .option('--limit <n>', 'at most so many', toCount, LIMIT)
    .option('--watch', 'show the list again whenever it changes, until Ctrl-C', false)
    .addHelpText('after', '\nExample:\n  headgate jobs nord --status active --watch');
  withConnection(jobs).action(
    async (name: string | undefined, options: import('../operate/jobs.ts').JobsOptions) => {
      const command = await import('../operate/jobs.ts');
      process.exitCode = await command.listJobs(name, options);
    },
  );
}

function addRunChanges(program: Command): void {
  const start = program
    .command('start')
    .description('start a job')
    .argument('<job>', 'id or name of the job')
    .option(
      '--arg <name=value>',
      'an argument of the job; a value of JSON, else text; repeatable',
      toList,
      [],
    )
    .option('--task <key>', 'only this task, by its key; repeatable', toList, [])
    .option('--priority <n>', 'higher ones go first (default: 0)', toCount)
    .option('--watch', 'follow the job run to its end; exit code 1 if it failed', false)
    .addHelpText('after', '\nExample:\n  headgate start "Nightly import" --arg since=2026-01-01 --watch');
  withConnection(start).action(
    async (job: string, options: import('../operate/change-runs.ts').StartOptions) => {
      const command = await import('../operate/change-runs.ts');
      process.exitCode = await command.start(job, options);
    },
  );
  const rerun = program
    .command('rerun')
    .description('run a job run again, from what failed on')
    .argument('<job-run-id>', 'id of the job run', toId)
    .option('--from <where>', 'failed, start, or the key of a task: that task and all after it', 'failed')
    .addOption(
      new Option(
        '--use <versions>',
        'tasks, connectors and configuration as they were, or as the job has them now',
      )
        .choices(['snapshot', 'current'])
        .default('snapshot'),
    )
    .option('--watch', 'follow the new job run to its end; exit code 1 if it failed', false)
    .addHelpText('after', '\nExample:\n  headgate rerun 71 --use current --watch');
  withConnection(rerun).action(
    async (id: number, options: import('../operate/change-runs.ts').RerunOptions) => {
      const command = await import('../operate/change-runs.ts');
      process.exitCode = await command.rerun(id, options);
    },
  );
  const cancel = program
    .command('cancel')
    .description('ask a job run to end')
    .argument('<job-run-id>', 'id of the job run', toId)
    .option('--force', 'do not wait for its tasks to end by themselves', false)
    .option('--watch', 'follow it to its end; exit code 1 if it ended otherwise', false)
    .addHelpText('after', '\nExample:\n  headgate cancel 71 --watch');
  withConnection(cancel).action(
    async (id: number, options: import('../operate/change-runs.ts').CancelOptions) => {
      const command = await import('../operate/change-runs.ts');
      process.exitCode = await command.cancel(id, options);
    },
  );
}

function addDeadLetters(program: Command): void {
  const letters = program
    .command('dead-letters')
    .description('list, replay or discard rows that failed')
    .addHelpText('after', '\nExample:\n  headgate dead-letters --job nightly --reasons');
  const whose = (command: Command) =>
    command
      .option('--job <job>', 'of this job, by id or name')
      .option('--run <id>', 'of this run', toId)
      .option('--code <code>', 'only with this reason, such as UNFIT_VALUE');
  const list = whose(
    letters.command('list', { isDefault: true }).description('list dead letters, newest first'),
  )
    .addOption(
      new Option('--status <status>', 'only such dead letters').choices(STATUSES_OF_LETTERS).default('open'),
    )
    .option('--reasons', 'count the open ones by job and reason', false)
    .option('--limit <n>', 'at most so many', toCount, LIMIT)
    .addHelpText('after', '\nExample:\n  headgate dead-letters list --run 112');
  withConnection(list).action(async (options: import('../operate/dead-letters.ts').ListLettersOptions) => {
    const command = await import('../operate/dead-letters.ts');
    process.exitCode = await command.listLetters(options);
  });
  const replay = whose(letters.command('replay').description('process open dead letters again, as they are'))
    .addOption(
      new Option('--use <versions>', 'the version that refused the rows, or the current one')
        .choices(['snapshot', 'current'])
        .default('snapshot'),
    )
    .option('-y, --yes', 'replay without asking', false)
    .addHelpText(
      'after',
      '\nExample:\n  headgate dead-letters replay --job nightly --code UNFIT_VALUE --use current',
    );
  withConnection(replay).action(async (options: import('../operate/dead-letters.ts').SettleOptions) => {
    const command = await import('../operate/dead-letters.ts');
    process.exitCode = await command.replayLetters(options);
  });
  const discard = whose(letters.command('discard').description('give up open dead letters'))
    .option('-y, --yes', 'discard without asking', false)
    .addHelpText('after', '\nExample:\n  headgate dead-letters discard --run 112 --code MALFORMED_RECORD');
  withConnection(discard).action(async (options: import('../operate/dead-letters.ts').SettleOptions) => {
    const command = await import('../operate/dead-letters.ts');
    process.exitCode = await command.discardLetters(options);
  });
}

function addConnectors(program: Command): void {
  const connectors = program
    .command('connectors')
    .description('list connectors, test one, or show what a plug-in takes')
    .addHelpText('after', '\nExample:\n  headgate connectors test warehouse');
  const list = connectors
    .command('list', { isDefault: true })
    .description('list connectors')
    .argument('[name]', 'part of the name')
    .option('--type <type>', 'only of this type')
    .option('--limit <n>', 'at most so many', toCount, LIMIT)
    .addHelpText('after', '\nExample:\n  headgate connectors list --type postgres');
  withConnection(list).action(
    async (name: string | undefined, options: import('../operate/connectors.ts').ConnectorsOptions) => {
      const command = await import('../operate/connectors.ts');
      process.exitCode = await command.listConnectors(name, options);
    },
  );
  const test = connectors
    .command('test')
    .description('try whether a connector works; exit code 1 if it does not')
    .argument('<connector>', 'id or name of the connector')
    .addHelpText('after', '\nExample:\n  headgate connectors test warehouse');
  withConnection(test).action(
    async (connector: string, options: import('../server/server-client.ts').ServerOptions) => {
      const command = await import('../operate/connectors.ts');
      process.exitCode = await command.testConnector(connector, options);
    },
  );
  const plugin = connectors
    .command('plugin')
    .description('list the plug-ins of the server, or the configuration that an Airbyte source takes')
    .argument('[name]', 'name of the plug-in')
    .addHelpText('after', '\nExample:\n  headgate connectors plugin faker');
  withConnection(plugin).action(
    async (name: string | undefined, options: import('../server/server-client.ts').ServerOptions) => {
      const command = await import('../operate/plugins.ts');
      process.exitCode = await command.showPlugin(name, options);
    },
  );
}

function addExecutors(program: Command): void {
  const executors = program
    .command('executors')
    .description('list executors, or drain and resume one')
    .addHelpText('after', '\nExample:\n  headgate executors drain berlin-1');
  const list = executors
    .command('list', { isDefault: true })
    .description('list executors, last seen first')
    .option('--all', 'also those that have left', false)
    .option('--watch', 'show the list again whenever it changes, until Ctrl-C', false)
    .addHelpText('after', '\nExample:\n  headgate executors list --watch');
  withConnection(list).action(async (options: import('../operate/executors.ts').ExecutorsOptions) => {
    const command = await import('../operate/executors.ts');
    process.exitCode = await command.listExecutors(options);
  });
  const change = (verb: 'drain' | 'resume', description: string) => {
    const one = executors
      .command(verb)
      .description(description)
      .argument('<executor>', 'id or name of the executor')
      .addHelpText('after', `\nExample:\n  headgate executors ${verb} berlin-1`);
    withConnection(one).action(
      async (executor: string, options: import('../server/server-client.ts').ServerOptions) => {
        const command = await import('../operate/executors.ts');
        process.exitCode = await command[`${verb}Executor`](executor, options);
      },
    );
  };
  change('drain', 'give an executor no more runs; it finishes what it has');
  change('resume', 'give a drained executor runs again');
  const queue = program
    .command('queue')
    .description('list runs that wait for an executor, and why each of them waits')
    .option('--limit <n>', 'at most so many', toCount, LIMIT)
    .option('--watch', 'show the list again whenever it changes, until Ctrl-C', false)
    .addHelpText('after', '\nExample:\n  headgate queue --watch');
  withConnection(queue).action(async (options: import('../operate/executors.ts').QueueOptions) => {
    const command = await import('../operate/executors.ts');
    process.exitCode = await command.listQueue(options);
  });
}

function addShareLink(program: Command): void {
  const link = program
    .command('share-link')
    .description('print the public address of a dashboard, and its QR code on a terminal')
    .argument('<dashboard>', 'id or name of the dashboard')
    .option('--qr', 'draw the QR code also where standard output is no terminal', false)
    .addHelpText('after', '\nExample:\n  headgate share-link "Nord: overview"');
  withConnection(link).action(
    async (dashboard: string, options: import('../operate/share-link.ts').ShareLinkOptions) => {
      const command = await import('../operate/share-link.ts');
      process.exitCode = await command.shareLink(dashboard, options);
    },
  );
}
