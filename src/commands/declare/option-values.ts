import { InvalidArgumentError, Option } from 'commander';

export function toCount(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}

export function toId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('must be an id, a whole number');
  return Number(text);
}

/** For an option that may be given several times. */
export function toList(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

/** `--json`, which every command has whose result somebody may want to read by a program. */
export function jsonOption(): Option {
  return new Option('--json', 'print only the result to standard output, as JSON').default(false);
}

/** How commands find a server. */
export function connectionOptions(): readonly Option[] {
  return [
    new Option('--server <url>', 'address of the server').env('SVC_SERVER').default('http://127.0.0.1:8080'),
    new Option('--token <key>', 'API key; prefer the environment variable, which other users cannot see').env(
      'SVC_TOKEN',
    ),
    jsonOption(),
  ];
}
