import { Argument, Command, CommanderError, Help, type Option } from 'commander';
import { suggestName } from '../base/text/suggest-name.ts';
import { SETTINGS } from '../settings.ts';
import { version } from '../version.ts';
import { addBundleCommands } from './declare/bundle-commands.ts';
import { addLocalCommands } from './declare/local-commands.ts';
import { addOperateCommands } from './declare/operate-commands.ts';
import { toCount } from './declare/option-values.ts';
import { addServerCommands } from './declare/server-commands.ts';
import { addStoreCommands } from './declare/store-commands.ts';
import { EXIT, EXIT_HELP } from './kit/exit-code.ts';

/** Narrower than this a column of a help text is not wrapped. */
const HELP_WIDTH_MIN = 20;
/** The command that a group is without the name of one. */
const DEFAULT_OF_GROUPS = 'list';
const SHELLS = ['bash', 'zsh', 'fish'] as const;

/**
 * The command line: every command with its options. The code of a command is loaded when it is called, so that `--help` answers at
 * once. Each sets `process.exitCode`.
 */
export function createProgram(): Command {
  const program = new Command('headgate')
    .description('A self-hosted control plane for data movement')
    .version(version)
    .configureHelp({ optionDescription, minWidthToWrap: HELP_WIDTH_MIN })
    .addHelpText('afterAll', ({ command }) =>
      command.parent === null ? EXIT_HELP : '\nExit codes: headgate --help',
    )
    // `runProgram` decides on the exit code: wrong usage is not a failure of the work.
    .exitOverride();
  addProcesses(program);
  program.commandsGroup('Local, without a server:');
  addLocalCommands(program);
  program.commandsGroup('On a server, over its API:');
  addOperateCommands(program);
  addServerCommands(program);
  addBundleCommands(program);
  program.commandsGroup('On the state store, for server administrators:');
  addStoreCommands(program);
  program.commandsGroup('Other:');
  program
    .command('completion')
    .description('print a shell completion script')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', '\nExample:\n  source <(headgate completion bash)')
    .action(async (shell: (typeof SHELLS)[number]) => {
      const { completionScript } = await import('./completion.ts');
      process.stdout.write(completionScript(program, shell));
    });
  explainErrors(program, program.name());
  return program;
}

/** What follows a message of wrong usage: the help to read, and the command that was meant instead of a group's own. */
function explainErrors(command: Command, path: string): void {
  const isGroup = command.commands.length > 0;
  command.showHelpAfterError(`(${path} --help lists ${isGroup ? 'the commands' : 'its options'})`);
  for (const child of command.commands) {
    explainErrors(child, `${path} ${child.name()}`);
    if (child.name() !== DEFAULT_OF_GROUPS) continue;
    const siblings = command.commands.map((sibling) => sibling.name());
    child.showHelpAfterError(`(${path} --help lists the commands)`).configureOutput({
      outputError(text, write) {
        write(text);
        const [word = ''] = command.args;
        const meant = siblings.includes(word) ? null : suggestName(word, siblings);
        if (meant !== null) write(`(Did you mean ${path} ${meant}?)\n`);
      },
    });
  }
}

/** Does what the process's arguments say, and sets its exit code. */
export async function runProgram(): Promise<void> {
  // Whoever reads the output may stop early (`headgate logs 1 | head`).
  process.stdout.on('error', (error: { readonly code?: string }) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
    throw error;
  });
  try {
    await createProgram().parseAsync();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has printed it already.
    process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
}

/** Without defaults that say nothing: a switch that is off, a list that is empty. */
function optionDescription(option: Option): string {
  const { defaultValue } = option;
  const isSilent = defaultValue === false || (Array.isArray(defaultValue) && defaultValue.length === 0);
  const shown = isSilent ? Object.create(option, { defaultValue: { value: undefined } }) : option;
  return new Help().optionDescription(shown);
}

function addProcesses(program: Command): void {
  program.commandsGroup('Processes:');
  program
    .command('serve')
    .description('run the server: control plane, worker host and one executor')
    .addHelpText('after', () => `${settingsHelp()}\n\nExample:\n  SVC_HTTP_PORT=9090 headgate serve`)
    .action(async () => {
      const { serve } = await import('./serve.ts');
      process.exitCode = await serve();
    });
  program
    .command('executor')
    .description('run an executor for a remote server')
    .requiredOption(
      '--server <address>',
      'the server: host:port of its gRPC service, or http(s)://host:port of its API when gRPC is blocked',
    )
    .option('--key <key>', 'executor key (default: SVC_EXECUTOR_KEY)')
    .option('--name <name>', 'display name of the executor (default: the host name)')
    .option('--slots <n>', 'maximum concurrent runs', toCount, 2)
    .option('--label <name=value...>', 'labels for tasks to require')
    .option('--file-root <folder...>', 'folders that file connectors may use (default: SVC_FILE_ROOTS)')
    .option('--ca <file>', 'CA file to verify the server’s certificate; enables TLS for gRPC')
    .option('--cert <file>', 'client certificate file, if the server requires one')
    .option('--cert-key <file>', 'private key file of the client certificate')
    .addHelpText(
      'after',
      `
TLS: host:port is plain text without --ca. Pass the file of your own CA, or, for a certificate from a public CA, the
system’s list, such as /etc/ssl/certs/ca-certificates.crt. https:// trusts public CAs without --ca. The
host name in --server must be in the certificate.

Example:
  SVC_EXECUTOR_KEY=… headgate executor --server headgate.example.com:9090 --ca ca.pem --slots 4`,
    )
    .action(async (options: import('./executor.ts').ExecutorOptions) => {
      const { executor } = await import('./executor.ts');
      process.exitCode = await executor(options);
    });
  program
    .command('demo')
    .description('set up a server, move three million real rows and serve a dashboard with them')
    .addArgument(
      new Argument(
        '[what]',
        'all: also move rows through PostgreSQL, MongoDB, object storage and SQLite',
      ).choices(['all']),
    )
    .option('--exit', 'exit after checking the row counts', false)
    .option('--port <port>', 'port of the server (default: 8080 or the next free port)', toCount)
    .option('--keep', 'reuse the data of the last demo', false)
    .addHelpText('after', '\nExample:\n  headgate demo --exit')
    .action(async (what: 'all' | undefined, options: { exit: boolean; port?: number; keep: boolean }) => {
      const { runDemo } = await import('./demo.ts');
      process.exitCode = await runDemo({
        all: what === 'all',
        exit: options.exit,
        port: options.port ?? null,
        keep: options.keep,
      });
    });
}

/** The settings of `serve`, from the environment or from `headgate.yaml`. */
function settingsHelp(): string {
  const lines = Object.entries(SETTINGS).map(([name, { help }]) => `  ${name.padEnd(36)}${help}`);
  return `\nSettings: environment variables, which override headgate.yaml, which overrides the defaults (in brackets):\n${lines.join('\n')}`;
}
