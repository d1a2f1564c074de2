import type { Argument, Command, Option } from 'commander';
import { EXIT_HELP } from '../../../src/commands/kit/exit-code.ts';
import { createProgram } from '../../../src/commands/program.ts';
import { code, pageHead, sentence, table } from './markdown.ts';

const INTRO = `Every command has \`--help\`. Results go to standard output; logs, progress and errors go to standard error. Colours are used only on a terminal, unless \`NO_COLOR\` is set. In a clone the program is \`npx node src/main.ts\`: write that for \`headgate\`.

Commands that use a server's API find it with \`--server\` or \`SVC_SERVER\` and send the API key of \`SVC_TOKEN\`; without them they use what \`headgate login\` has kept, or \`http://127.0.0.1:8080\`. \`migrate\`, \`rotate-keys\` and \`user\` open the state store themselves, with the [settings](settings.md) of the server.`;

export function cliPage(): string {
  const commands = allCommands(createProgram()).filter(({ command }) => command.commands.length === 0);
  const overview = commands.map(({ path, command }) => [
    `[\`headgate ${path}\`](#headgate-${path.replaceAll(' ', '-')})`,
    sentence(command.description()),
  ]);
  const exits = [...EXIT_HELP.matchAll(/^ {2}(\d+)\s+(.+)$/gm)].map(([, number = '', words = '']) => [
    number,
    sentence(words),
  ]);
  return [
    pageHead('Command line', INTRO),
    table(['command', 'purpose'], overview),
    ...commands.map(({ path, command }) => commandSection(path, command)),
    '\n## Exit codes\n',
    table(['code', 'meaning'], exits),
  ].join('');
}

interface Placed {
  readonly path: string;
  readonly command: Command;
}

/** Every command but the program itself, with the words that lead to it. */
export function allCommands(program: Command, above = ''): readonly Placed[] {
  return program.commands.flatMap((command) => {
    const path = `${above}${command.name()}`;
    return [{ path, command }, ...allCommands(command, `${path} `)];
  });
}

function commandSection(path: string, command: Command): string {
  const help = command.createHelp();
  const args = command.registeredArguments.map((argument) => [
    code(help.argumentTerm(argument)),
    argumentWords(argument),
  ]);
  const options = command.options.map((option) => [
    code(option.flags),
    optionWords(option),
    defaultText(option),
  ]);
  return [
    `\n## headgate ${path}\n\n${sentence(command.description())}\n`,
    `\n\`\`\`text\n${help.commandUsage(command)}\n\`\`\`\n`,
    table(['argument', 'meaning'], args),
    table(['option', 'meaning', 'default'], options),
  ].join('');
}

function argumentWords({ description, argChoices }: Argument): string {
  return sentence(`${description}${choicesText(argChoices)}`);
}

function optionWords(option: Option): string {
  const words = option.description.replace(/ \(default: [^()]+\)$/, '');
  const required = option.mandatory ? '; required' : '';
  const variable = option.envVar === undefined ? '' : `; or ${code(option.envVar)} in the environment`;
  return sentence(`${words}${required}${choicesText(option.argChoices)}${variable}`);
}

function choicesText(choices: readonly string[] | undefined): string {
  return choices === undefined ? '' : `: ${choices.map(code).join(', ')}`;
}

/** The default of an option: its own, or the one that its words name because it depends on something. */
function defaultText({ description, defaultValue }: Option): string {
  const [, named] = / \(default: ([^()]+)\)$/.exec(description) ?? [];
  if (named !== undefined) return named.includes(' ') ? named : code(named);
  const isSilent =
    defaultValue === undefined ||
    defaultValue === false ||
    (Array.isArray(defaultValue) && defaultValue.length === 0);
  return isSilent ? '–' : code(defaultValue);
}
