import { type Command, Option } from 'commander';
import { addDeadLetters } from './dead-letter-commands.ts';
import { addJobRuns } from './job-run-commands.ts';
import {
  jsonOption,
  LABEL_HELP,
  LIST_LIMIT,
  toCount,
  toId,
  toList,
  withConnection,
} from './option-values.ts';
import { addUpgrade } from './upgrade-command.ts';

/** Commands for those who operate a server from a terminal. */
export function addOperateCommands(program: Command): void {
  addLogin(program);
  addJobs(program);
  addJobRuns(program);
  addRunChanges(program);
  addUpgrade(program);
  addDeadLetters(program);
  addConnectors(program);
  addExecutors(program);
  addShareLink(program);
}

function addLogin(program: Command): void {
  const login = program
    .command('login')
    .description('save a server’s address and an API key for the commands below')
    .addHelpText(
      'after',
      `
The key is prompted for, or read from standard input. It is verified, then saved in a file readable only by you:
$XDG_CONFIG_HOME/headgate/login.json, or ~/.config/headgate/login.json. SVC_SERVER, SVC_TOKEN, --server and --token take precedence.

Example:
  headgate login --server https://headgate.example.com`,
    );
  withConnection(login).action(async (options: import('../server/server-client.ts').ServerOptions) => {
    const command = await import('../server/login.ts');
    process.exitCode = await command.login(options);
  });
  program
    .command('logout')
    .description('forget the saved address and key')
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
    .description('list jobs, their last result and their next run')
    .argument('[name]', 'part of the name')
    .addOption(new Option('--status <status>', 'filter by status').choices(['active', 'archived']))
    .option('--label <label>', LABEL_HELP, toList, [])
    .option('--limit <n>', 'maximum number of entries', toCount, LIST_LIMIT)
    .option('--watch', 'refresh the list on changes, until Ctrl-C', false)
    .addHelpText(
      'after',
      '\nExample:\n  headgate jobs nord --status active --watch\n  headgate jobs --label team:sales',
    );
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
    .option('--arg <name=value>', 'a job argument; parsed as JSON, otherwise text; repeatable', toList, [])
    .option('--task <key>', 'only this task, by its key; repeatable', toList, [])
    .option('--priority <n>', 'higher priorities run first (default: 0)', toCount)
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
    .description('rerun a job run, from the failed tasks')
    .argument('<job-run-id>', 'id of the job run', toId)
    .option('--from <where>', 'failed, start, or a task key: that task and all that follow', 'failed')
    .addOption(
      new Option(
        '--use <versions>',
        'tasks, connectors and configuration as in the original run, or the job’s current ones',
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
    .description('cancel a job run')
    .argument('<job-run-id>', 'id of the job run', toId)
    .option('--force', 'stop its tasks immediately', false)
    .option('--watch', 'follow it to its end; exit code 1 if it ended in another way', false)
    .addHelpText('after', '\nExample:\n  headgate cancel 71 --watch');
  withConnection(cancel).action(
    async (id: number, options: import('../operate/change-runs.ts').CancelOptions) => {
      const command = await import('../operate/change-runs.ts');
      process.exitCode = await command.cancel(id, options);
    },
  );
}

function addConnectors(program: Command): void {
  const connectors = program
    .command('connectors')
    .description('list connectors, test one, show its health or a plug-in’s configuration')
    .addHelpText('after', '\nExample:\n  headgate connectors test warehouse');
  const list = connectors
    .command('list', { isDefault: true })
    .description('list connectors')
    .argument('[name]', 'part of the name')
    .option('--type <type>', 'filter by type')
    .option('--limit <n>', 'maximum number of entries', toCount, LIST_LIMIT)
    .addHelpText('after', '\nExample:\n  headgate connectors list --type postgres');
  withConnection(list).action(
    async (name: string | undefined, options: import('../operate/connectors.ts').ConnectorsOptions) => {
      const command = await import('../operate/connectors.ts');
      process.exitCode = await command.listConnectors(name, options);
    },
  );
  const test = connectors
    .command('test')
    .description('test a connector; exit code 1 if it fails')
    .argument('<connector>', 'id or name of the connector')
    .addHelpText('after', '\nExample:\n  headgate connectors test warehouse');
  withConnection(test).action(
    async (connector: string, options: import('../server/server-client.ts').ServerOptions) => {
      const command = await import('../operate/connectors.ts');
      process.exitCode = await command.testConnector(connector, options);
    },
  );
  const health = connectors
    .command('health')
    .description('show whether a connector works, and its last error')
    .argument('<connector>', 'id or name of the connector')
    .addHelpText('after', '\nExample:\n  headgate connectors health warehouse');
  withConnection(health).action(
    async (connector: string, options: import('../server/server-client.ts').ServerOptions) => {
      const command = await import('../operate/connectors.ts');
      process.exitCode = await command.connectorHealth(connector, options);
    },
  );
  const plugin = connectors
    .command('plugin')
    .description('list the server’s plug-ins, or the configuration of an Airbyte source')
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
    .description('list executors, or drain or resume one')
    .addHelpText('after', '\nExample:\n  headgate executors drain berlin-1');
  const list = executors
    .command('list', { isDefault: true })
    .description('list executors, last seen first')
    .option('--all', 'include executors that have left', false)
    .option('--watch', 'refresh the list on changes, until Ctrl-C', false)
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
  change('drain', 'stop assigning runs to an executor; it finishes its current ones');
  change('resume', 'assign runs to a drained executor again');
  const queue = program
    .command('queue')
    .description('list runs waiting for an executor, and why each one waits')
    .option('--limit <n>', 'maximum number of entries', toCount, LIST_LIMIT)
    .option('--watch', 'refresh the list on changes, until Ctrl-C', false)
    .addHelpText('after', '\nExample:\n  headgate queue --watch');
  withConnection(queue).action(async (options: import('../operate/executors.ts').QueueOptions) => {
    const command = await import('../operate/executors.ts');
    process.exitCode = await command.listQueue(options);
  });
}

function addShareLink(program: Command): void {
  const link = program
    .command('share-link')
    .description('print the public link of a dashboard, and its QR code on a terminal')
    .argument('<dashboard>', 'id or name of the dashboard')
    .option('--qr', 'print the QR code even if standard output is not a terminal', false)
    .addHelpText('after', '\nExample:\n  headgate share-link "Nord: overview"');
  withConnection(link).action(
    async (dashboard: string, options: import('../operate/share-link.ts').ShareLinkOptions) => {
      const command = await import('../operate/share-link.ts');
      process.exitCode = await command.shareLink(dashboard, options);
    },
  );
}
