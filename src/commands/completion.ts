import type { Argument, Command, Option } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** What may follow a command's name. */
interface Place {
  /** The names that lead here, such as `user create`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly (Word & {
    readonly values: readonly string[] | null;
    readonly takesValue: boolean;
  })[];
  /** Values of its first argument, where they are few. */
  readonly values: readonly string[];
}

interface Word {
  readonly name: string;
  readonly about: string;
}

/**
 * A script that completes the program's commands, options and their values in a shell. It is made from the commands themselves and holds
 * everything: no key starts a process.
 */
export function completionScript(program: Command, shell: Shell): string {
  const places = placesOf(program, '');
  switch (shell) {
    case 'bash':
      return bashScript(program.name(), places);
    case 'zsh':
      return zshScript(program.name(), places);
    case 'fish':
      return fishScript(program.name(), places);
    default:
      return shell satisfies never;
  }
}

function placesOf(command: Command, path: string): Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const words = commands.map((sub) => ({ name: sub.name(), about: firstSentence(sub.description()) }));
  const options = help.visibleOptions(command).flatMap((option: Option) => {
    if (option.long === null || option.long === undefined) return [];
    const { argChoices: values = null, required, optional } = option;
    return [
      {
        name: option.long,
        about: firstSentence(option.description),
        values,
        takesValue: required || optional,
      },
    ];
  });
  const [argument]: readonly (Argument | undefined)[] = command.registeredArguments;
  const here = { path, commands: words, options, values: argument?.argChoices ?? [] };
  return [
    here,
    ...commands.flatMap((sub) => placesOf(sub, path === '' ? sub.name() : `${path} ${sub.name()}`)),
  ];
}

function firstSentence(text: string): string {
  return (text.split(/[.;:(\n]/, 1)[0] ?? '').trim();
}

function bashScript(name: string, places: readonly Place[]): string {
  const known = places.flatMap(({ path, commands }) => commands.map((word) => `"${path}/${word.name}"`));
  const words = places.map(({ path, commands, options, values }) => {
    const all = [...commands.map((word) => word.name), ...values, ...options.map((option) => option.name)];
    return `    "${path}") words="${all.join(' ')}" ;;`;
  });
  const valued = places.flatMap(({ path, options }) =>
    options.flatMap((option) => {
      if (!option.takesValue) return [];
      const list = option.values === null ? 'files=1; words=""' : `words="${option.values.join(' ')}"`;
      return [`    "${path} ${option.name}") ${list} ;;`];
    }),
  );
  return `# bash completion of ${name}: source <(${name} completion bash)
_${name}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path="" words="" files="" word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$path/$word" in
      ${known.join(' | ')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${words.join('\n')}
  esac
  case "$path $prev" in
${valued.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  if [[ -n "$files" || ( \${#COMPREPLY[@]} -eq 0 && "$cur" != -* ) ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen -f -- "$cur"))
  fi
}
complete -F _${name} ${name}
`;
}

function zshScript(name: string, places: readonly Place[]): string {
  const known = places.flatMap(({ path, commands }) =>
    commands.map((word) => zshQuoted(`${path}/${word.name}`)),
  );
  const cases = places.map(({ path, commands, options, values }) => {
    const words = [...commands, ...values.map((value) => ({ name: value, about: '' })), ...options];
    const list = words.map((word) => zshQuoted(`${word.name}${word.about === '' ? '' : `:${word.about}`}`));
    return `    ${zshQuoted(path)}) list=(${list.join(' ')}) ;;`;
  });
  const valued = places.flatMap(({ path, options }) =>
    options.flatMap((option) => {
      if (!option.takesValue) return [];
      const act = option.values === null ? '_files' : `compadd -- ${option.values.join(' ')}`;
      return [`    ${zshQuoted(`${path} ${option.name}`)}) ${act}; return ;;`];
    }),
  );
  return `#compdef ${name}
# zsh completion of ${name}: ${name} completion zsh > "\${fpath[1]}/_${name}", or source <(${name} completion zsh)
_${name}() {
  local place="" word
  local -a list
  for word in "\${words[@]:1:$((CURRENT - 2))}"; do
    case "$place/$word" in
      ${known.join(' | ')}) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place \${words[CURRENT-1]}" in
${valued.join('\n')}
  esac
  case "$place" in
${cases.join('\n')}
  esac
  _describe '${name}' list
  [[ "$PREFIX" == -* ]] || _files
}
if [ "$funcstack[1]" = "_${name}" ]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fishScript(name: string, places: readonly Place[]): string {
  const known = places.flatMap(({ path, commands }) =>
    commands.map((word) => fishQuoted(`${path}/${word.name}`)),
  );
  const lines = places.flatMap(({ path, commands, options, values }) => {
    const here = `complete -c ${name} -n ${fishQuoted(`test (__${name}_place) = ${fishQuoted(path)}`)}`;
    return [
      ...commands.map((word) => `${here} -f -a ${fishQuoted(word.name)} -d ${fishQuoted(word.about)}`),
      ...values.map((value) => `${here} -f -a ${fishQuoted(value)}`),
      ...options.map((option) => {
        const given = option.values === null ? ' -r' : ` -x -a ${fishQuoted(option.values.join(' '))}`;
        return `${here} -l ${option.name.slice(2)}${option.takesValue ? given : ''} -d ${fishQuoted(option.about)}`;
      }),
    ];
  });
  return `# fish completion of ${name}: ${name} completion fish | source
function __${name}_place
  set -l place ''
  for word in (commandline -opc)[2..]
    if contains -- "$place/$word" ${known.join(' ')}
      set place (string trim -- "$place $word")
    end
  end
  echo "$place"
end
${lines.join('\n')}
`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
