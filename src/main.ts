#!/usr/bin/env node
import { Command, InvalidArgumentError } from 'commander';
import { keepCompiledCode } from './base/compile-cache.ts';
import { SETTINGS } from './settings.ts';
import { version } from './version.ts';

keepCompiledCode();

/** The command line. Each command's code is loaded when it is called, so that `--help` answers at once. */
const program = new Command('headgate')
  .description('A self-hosted control plane for data movement')
  .version(version)
  .showHelpAfterError('(headgate --help lists the commands)');

program
  .command('serve')
  .description('run the control plane, its worker host and an executor')
  .addHelpText('after', settingsHelp)
  .action(async () => {
    const { serve } = await import('./commands/serve.ts');
    process.exitCode = await serve();
  });

program
  .command('executor')
  .description('run an executor that takes work from a control plane')
  .requiredOption(
    '--server <address>',
    'the control plane: host:port of its gRPC service, or http://host:port or https://host of its API, where only that can be reached',
  )
  .option('--key <key>', 'executor key (default: SVC_EXECUTOR_KEY)')
  .option('--name <name>', 'name shown in the list of executors (default: the host’s name)')
  .option('--slots <n>', 'runs at once', toCount, 2)
  .option('--label <name=value...>', 'labels that runs may ask for')
  .option('--file-root <folder...>', 'folders that file connectors may use (default: SVC_FILE_ROOTS)')
  .option('--ca <file>', 'certificate authority of the server: turns TLS on for gRPC')
  .option('--cert <file>', 'client certificate, where the server asks for one')
  .option('--cert-key <file>', 'its private key')
  .action(async (options: import('./commands/executor.ts').ExecutorOptions) => {
    const { executor } = await import('./commands/executor.ts');
    process.exitCode = await executor(options);
  });

program
  .command('demo')
  .description('set everything up, move three million real rows and show them on a dashboard')
  .option('--exit', 'end when the counts are checked', false)
  .option('--port <port>', 'port of the server (default: 8080, or the next free one)', toCount)
  .option('--keep', 'keep the data of the last demo', false)
  .action(async (options: { exit: boolean; port?: number; keep: boolean }) => {
    const { runDemo } = await import('./commands/demo.ts');
    process.exitCode = await runDemo({ exit: options.exit, port: options.port ?? null, keep: options.keep });
  });

/** The settings of `serve`, which come from the environment or from `headgate.yaml`. */
function settingsHelp(): string {
  const lines = Object.entries(SETTINGS).map(([name, { help }]) => `  ${name.padEnd(36)}${help}`);
  return `\nSettings (environment, over headgate.yaml, over the default in brackets):\n${lines.join('\n')}`;
}

function toCount(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}

await program.parseAsync();
