import { type Command, InvalidArgumentError, Option } from 'commander';

export function toCount(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}

export function toId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('must be an id (a whole number)');
  return Number(text);
}

/** For an argument of several ids. */
export function toIds(text: string, before: readonly number[] = []): readonly number[] {
  return [...before, toId(text)];
}

/** Entries of a list unless `--limit` says otherwise. */
export const LIST_LIMIT = 20;

/** Help of `--label`, for lists of jobs and of job runs. */
export const LABEL_HELP = 'filter by label of the job, as name:value, or name for any value; repeatable';

/** For an option that may be given several times. */
export function toList(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

/** `--json`, which every command has whose result somebody may want to read by a program. */
export function jsonOption(): Option {
  return new Option('--json', 'print only the result to standard output, as JSON').default(false);
}

/** A command with the options that find a server, and `--json`. */
export function withConnection(command: Command): Command {
  const options = [
    new Option(
      '--server <url>',
      'server address (default: from headgate login, or http://127.0.0.1:8080)',
    ).env('SVC_SERVER'),
    new Option(
      '--token <key>',
      'API key (default: from headgate login); visible to other users here, but not in the environment variable',
    ).env('SVC_TOKEN'),
    jsonOption(),
  ];
  for (const option of options) command.addOption(option);
  return command;
}
