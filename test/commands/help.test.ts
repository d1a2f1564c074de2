import { execFileSync } from 'node:child_process';
import type { Command } from 'commander';
import t from 'tap';
import { EXIT_HELP } from '../../src/commands/kit/exit-code.ts';
import { createProgram } from '../../src/commands/program.ts';
import { runCli } from '../support/run-cli.ts';

function commandsOf(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}

t.test('every command has a help text that ends well', async (t) => {
  const program = createProgram();
  for (const command of commandsOf(program)) {
    const help = command.helpInformation();
    t.match(help, /^Usage: headgate /);
    t.notMatch(help, /default: (false|\[\])/);
    const name = command.name();
    if (command.parent !== null) t.ok(command.description(), name);
    for (const argument of command.registeredArguments) t.ok(argument.description, name);
    for (const option of command.options) t.ok(option.description, `${name} ${option.long}`);
  }
  // Of the commands themselves from the program as it is started.
  const paths = [[], ...program.commands.map((command) => [command.name()])];
  t.ok(paths.length > 12);
  for (const path of paths) {
    const { code, stdout, stderr } = await runCli([...path, '--help']);
    t.same([code, stderr], [0, ''], path.join(' '));
    t.match(stdout, new RegExp(`^Usage: headgate ${path.join(' ')}`));
    if (path.length > 0)
      t.match(stdout, /\nExample:\n {2}.*headgate [\s\S]*\nExit codes: headgate --help\n$/);
    else t.match(stdout, /\nExit codes:\n/);
  }
  t.match(EXIT_HELP, /\b77\b/);
});

t.test('completion in bash offers commands, options and their values', async (t) => {
  const { code, stdout: script } = await runCli(['completion', 'bash']);
  t.equal(code, 0);
  const offered = (...words: readonly string[]) => {
    const line = `${script}\nCOMP_WORDS=(headgate ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _headgate; echo "\${COMPREPLY[*]}"`;
    return execFileSync('bash', ['-c', line], { cwd: t.testdir({}), encoding: 'utf8' }).trim();
  };
  t.equal(offered('ba'), 'backfill backup');
  t.equal(offered('user', 're'), 'reset-totp reset-password');
  t.equal(offered('logs', '5', '--fo'), '--follow');
  t.equal(offered('logs', '5', '--level', ''), 'debug info warn error');
  for (const shell of ['zsh', 'fish']) t.match((await runCli(['completion', shell])).stdout, /reset-totp/);
});

t.test('wrong usage is answered with the help of that command, and the command that was meant', async (t) => {
  const told = async (...args: readonly string[]) => (await runCli(args)).stderr;
  t.match(await told('jobs', '--stat', 'x'), /--status\?\)\n\(headgate jobs --help lists its options\)\n$/);
  t.match(
    await told('dead-letters', 'shwo'),
    /\n\(Did you mean headgate dead-letters show\?\)\n\(headgate dead-letters --help lists the commands\)\n$/,
  );
  t.match(await told('runs', 'prats'), /headgate runs parts\?/);
  t.notMatch(await told('runs', 'list', 'prats'), /Did you mean/);
});
