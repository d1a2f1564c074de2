import { LRUCache } from 'lru-cache';
import { ConnectorError } from '../driver.ts';

/** Whitespace, comments, quoted things, words, and single characters, as SQLite's tokenizer divides a text. */
const TOKEN =
  /[ \t\n\f\r]+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|[\s\S]/g;

/** Texts that were found to be one statement: those of widgets come again and again. */
const accepted = new LRUCache<string, true>({ max: 200 });
const KEPT_CHARS_MAX = 10_000;

/**
 * Throws `CONFIG` unless the text is one statement, perhaps with a semicolon and comments after it. node:sqlite compiles the
 * first statement and silently ignores what follows, so that a second one would seem to have run.
 */
export function requireSingleStatement(sql: string): void {
  if (accepted.get(sql)) return;
  check(sql);
  if (sql.length <= KEPT_CHARS_MAX) accepted.set(sql, true);
}

function check(sql: string): void {
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
    words.push(token.toUpperCase());
  }
  if (!words.some((word) => word !== ';'))
    throw new ConnectorError('CONFIG', 'The text contains no statement');
}

/** The body of a trigger holds statements of its own, up to `END` after a semicolon. */
function isInsideTrigger(words: readonly string[]): boolean {
  const [first, second, third] = words;
  const isTemporary = second === 'TEMP' || second === 'TEMPORARY';
  if (first !== 'CREATE' || (isTemporary ? third : second) !== 'TRIGGER') return false;
  return !(words.at(-1) === 'END' && words.at(-2) === ';');
}
