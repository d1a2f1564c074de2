import { LRUCache } from 'lru-cache';
import { ConnectorError } from '../driver.ts';
import { requireValueCount } from '../sql/value-count.ts';

/**
 * Whitespace, comments, quoted things, words, placeholders, and single characters, as SQLite's tokenizer divides a text.
 * Source: https://www.sqlite.org/lang_expr.html#varparam.
 */
const TOKEN =
  /[ \t\n\f\r]+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|\?\d*|[$@:](?:[\w$\u0080-\uffff]|::)+|[\s\S]/g;

/** Texts that were found to be one statement, with what they read: those of widgets come again and again. */
const accepted = new LRUCache<string, Placeholders>({ max: 200 });
const KEPT_CHARS_MAX = 10_000;

/** What a statement reads of its `params`. */
interface Placeholders {
  /** Values that it needs: SQLite numbers each `?` one above the highest so far. */
  readonly count: number;
  /** `:name`, `@name` or `$name`, which no list has a value for. */
  readonly named: string | null;
}

/**
 * Throws `CONFIG` unless the text is one statement, perhaps with a semicolon and comments after it, and `params` has as many
 * values as it reads. node:sqlite compiles the first statement and silently ignores what follows, so that a second one would seem
 * to have run; SQLite itself takes a placeholder without a value as null.
 */
export function requireSingleStatement(sql: string, params: readonly unknown[]): void {
  let found = accepted.get(sql);
  if (found === undefined) {
    found = placeholdersOf(statementTokens(sql));
    if (sql.length <= KEPT_CHARS_MAX) accepted.set(sql, found);
  }
  requireValues(found, params.length);
}

function requireValues({ count, named }: Placeholders, given: number): void {
  if (named !== null)
    throw new ConnectorError(
      'CONFIG',
      `The statement reads "${named}", but "params" is a list: write ? or ?1, ?2, … for its values`,
    );
  requireValueCount(count, given);
}

function placeholdersOf(tokens: readonly string[]): Placeholders {
  let count = 0;
  for (const token of tokens) {
    if (token === '?') count += 1;
    else if (token.startsWith('?')) count = Math.max(count, Number(token.slice(1)));
    else if (/^[$@:]./.test(token)) return { count, named: token };
  }
  return { count, named: null };
}

/** Without whitespace and comments, in capitals but for names of placeholders. */
function statementTokens(sql: string): readonly string[] {
  if (sql.includes('\0')) throw new ConnectorError('CONFIG', 'The statement contains a NUL character');
  const words: string[] = [];
  let ended = false;
  for (const [token] of sql.matchAll(TOKEN)) {
    if (/^[ \t\n\f\r]/.test(token) || token.startsWith('--') || token.startsWith('/*')) continue;
    if (token === ';') {
      if (words.length > 0 && !isInsideTrigger(words)) ended = true;
      else words.push(';');
      continue;
    }
    if (ended)
      throw new ConnectorError('CONFIG', 'Only one statement is allowed; there is text after its semicolon');
    words.push(/^[$@:]/.test(token) ? token : token.toUpperCase());
  }
  if (!words.some((word) => word !== ';'))
    throw new ConnectorError('CONFIG', 'The text contains no statement');
  return words;
}

/** The body of a trigger holds statements of its own, up to `END` after a semicolon. */
function isInsideTrigger(words: readonly string[]): boolean {
  const [first, second, third] = words;
  const isTemporary = second === 'TEMP' || second === 'TEMPORARY';
  if (first !== 'CREATE' || (isTemporary ? third : second) !== 'TRIGGER') return false;
  return !(words.at(-1) === 'END' && words.at(-2) === ';');
}
