/** A request as a script makes it. It never holds a key: that comes from the environment. */
export interface ScriptCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Of the API, from `/api` on. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | readonly string[]>>;
  readonly body?: unknown;
  /** Values of the body that come from the environment: it has `$NAME` in their place. */
  readonly variables?: readonly ScriptVariable[];
  /** The same as words of the command line after `headgate`; absent where it has no command for it. */
  readonly command?: readonly string[];
}

export interface ScriptVariable {
  readonly name: string;
  /** The variable holds JSON, not the content of a JSON string. */
  readonly isJson: boolean;
}

/** Holds the API key, for curl and for the command line. */
export const keyVariable = 'SVC_TOKEN';

/** The request as a line of a POSIX shell. `origin`: scheme, host and port of the server. */
export function curlText(origin: string, call: ScriptCall): string {
  const { method, path, query = {}, body, variables = [] } = call;
  const url = new URL(path, origin);
  for (const [key, value] of Object.entries(query))
    for (const one of [value].flat()) url.searchParams.append(key, String(one));
  const words = ['curl', '-fsS', ...(method === 'GET' ? [] : ['-X', method])];
  const key = `-H "Authorization: Bearer $${keyVariable}"`;
  const json =
    body === undefined
      ? []
      : ['-H', quoted('Content-Type: application/json'), '-d', bodyWord(body, variables)];
  return [...words, key, ...json, quoted(url.href)].join(' ');
}

/** The body in single quotes, which each variable leaves for a moment. */
function bodyWord(body: unknown, variables: readonly ScriptVariable[]): string {
  return variables.reduce(
    (word, { name, isJson }) =>
      word.replaceAll(`"$${name}"`, () => (isJson ? `'"$${name}"'` : `"'"$${name}"'"`)),
    quoted(JSON.stringify(body)),
  );
}

/** The same as a line for the command line. Null where it has no command for it. */
export function commandText(origin: string, { command }: ScriptCall): string | null {
  if (command === undefined) return null;
  return ['headgate', ...command, '--server', origin].map(quoted).join(' ');
}

/** A word as a POSIX shell reads it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
