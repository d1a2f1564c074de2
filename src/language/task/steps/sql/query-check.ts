/** A `$name` of a query, and the line that it is on, from 1. */
export interface QueryParameter {
  readonly name: string;
  readonly line: number;
}

export interface QueryCheck {
  /** What is wrong with the query as a whole, or null. */
  readonly problem: string | null;
  readonly parameters: readonly QueryParameter[];
}

/** What a query may begin with. */
const FIRST_WORDS: readonly string[] = ['SELECT', 'WITH', 'FROM', 'VALUES', 'TABLE', '('];

/**
 * Strings, quoted names, dollar quotes and comments first, so that nothing inside them counts; then parameters, words, and any other
 * single character.
 */
const TOKEN =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\1|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w+)|[A-Za-z_]\w*|\s+|[\s\S]/g;
const NOTHING = /^(?:\s|--|\/\*)/;

/**
 * What can be told of a query without its engine, which the server does not load: that it is one query, that it has no templates, and
 * its parameters. The engine itself refuses whatever is no SELECT.
 */
export function checkQuery(query: string): QueryCheck {
  const parameters: QueryParameter[] = [];
  let problem: string | null = null;
  let first = true;
  let ended = false;
  let line = 1;
  for (const match of query.matchAll(TOKEN)) {
    const [token, , parameter] = match;
    if (!NOTHING.test(token)) {
      if (ended) problem ??= `The query has a second statement on line ${line}; it must be a single SELECT`;
      if (first && !FIRST_WORDS.includes(token.toUpperCase()))
        problem ??= `A query must be a single SELECT and cannot start with "${token}" (line ${line} of the query)`;
      if (token === '?' || (parameter !== undefined && /^\d/.test(parameter)))
        problem ??= `Parameters have names, such as "$since" (line ${line} of the query)`;
      else if (parameter !== undefined) parameters.push({ name: parameter, line });
      first = false;
      ended = token === ';';
    }
    line += token.split('\n').length - 1;
  }
  if (query.includes('{{'))
    problem = 'A query cannot contain {{ expression }}; pass values in "params" and read them as $name';
  return { problem, parameters };
}
