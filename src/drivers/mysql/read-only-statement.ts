import { ConnectorError } from '../driver.ts';

/** Whitespace, comments, quoted things, words, and single characters, as MySQL divides a text whose backslashes escape. */
const TOKEN =
  /[ \t\n\v\f\r]+|--(?=[\0- \x7f]|$)[^\n]*|#[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)|"(?:[^"\\]|\\[\s\S]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|@{1,2}(?=[`'"\w$.])|[\w$\u0080-\uffff]+|:=|[\s\S]/g;
const SPACE = /^[ \t\n\v\f\r]/;

/** Words that no query has outside of quotes: they write, lock, or leave something behind. All are reserved in MySQL. */
const REFUSED_WORDS: Readonly<Record<string, string>> = {
  INTO: 'SELECT … INTO writes a file or a variable; leave INTO out',
  UPDATE: 'UPDATE, and FOR UPDATE, change or lock rows; leave them out',
  DELETE: 'DELETE changes rows; use SELECT',
  LOCK: 'LOCK IN SHARE MODE locks rows; leave it out',
  PROCEDURE: 'PROCEDURE is not allowed in read-only statements',
};

/** Functions that wait, lock, reach files or other servers, change the server, or run a program. */
const REFUSED_FUNCTIONS = new RegExp(
  `^(?:${[
    'sleep',
    'benchmark',
    'get_lock',
    'release_lock',
    'release_all_locks',
    'is_used_lock',
    'is_free_lock',
    'load_file',
    '.*_pos_wait',
    'master_gtid_wait',
    'wait_.*',
    'last_insert_id',
    'nextval',
    'setval',
    'lastval',
    'sys_(?:exec|eval|get|set)',
    'asynchronous_connection_failover_.*',
    'group_replication_.*',
    'keyring_.*',
    'audit_log_.*',
    'audit_api_.*',
    'version_tokens_.*',
    'service_(?:get|release)_.*',
    '(?:set|read|reload|mysql)_firewall_.*',
    'mysql_query_attribute_.*',
    'gen_(?:dictionary|blocklist).*',
    'load_rewrite_rules',
    'mysqlx_.*',
    'ps_.*',
    'udf_.*',
  ].join('|')})$`,
);

const READING: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'VALUES', 'TABLE']);

interface Token {
  readonly text: string;
  /** In capitals; empty for what is no bare word. */
  readonly word: string;
}

/** The text as tokens without spaces and comments. Throws `CONFIG` for what MySQL reads otherwise than it looks. */
function tokensOf(sql: string, refusesHints: boolean): readonly Token[] {
  if (sql.includes('\0')) throw new ConnectorError('CONFIG', 'The statement contains a NUL character');
  const tokens: Token[] = [];
  for (const [text] of sql.matchAll(TOKEN)) {
    if (text.startsWith('/*')) {
      requireComment(text, refusesHints);
      continue;
    }
    if (SPACE.test(text) || text.startsWith('#') || (text.startsWith('--') && text.length > 1)) continue;
    if (/^['"`]/.test(text) && (text.length === 1 || !text.endsWith(text[0] ?? '')))
      throw new ConnectorError('CONFIG', 'A quoted text or name in the statement is not closed');
    tokens.push({ text, word: /^[\w$\u0080-\uffff]/.test(text) ? text.toUpperCase() : '' });
  }
  return tokens;
}

/** A comment that begins with `/*!`, `/*M!` or `/*+` is none: the server runs or obeys it. */
function requireComment(text: string, refusesHints: boolean): void {
  if (!text.endsWith('*/') || text.length < 4)
    throw new ConnectorError('CONFIG', 'A comment in the statement is not closed');
  if (refusesHints && /^\/\*(?:M?!|\+)/i.test(text))
    throw new ConnectorError(
      'CONFIG',
      'Comments that the server executes (/*! … */, /*+ … */) are not allowed',
    );
}

function parseOne(sql: string, refusesHints: boolean): readonly Token[] {
  const tokens = tokensOf(sql, refusesHints);
  const end = tokens.findIndex(({ text }) => text === ';');
  const one = end < 0 ? tokens : tokens.slice(0, end);
  if (one.length === 0) throw new ConnectorError('CONFIG', 'The text contains no statement');
  if (end >= 0 && tokens.slice(end).some(({ text }) => text !== ';'))
    throw new ConnectorError('CONFIG', 'Only one statement is allowed; there is text after its semicolon');
  return one;
}

/** Statements whose body may hold others, each with its semicolon. The server takes one statement of a text alone, whatever it is. */
const WITH_BODY = /^\s*(?:CREATE|ALTER|BEGIN\s+NOT\s+ATOMIC)\b/i;

/** Throws `CONFIG` unless the text is one statement. */
export function requireSingleStatement(sql: string): void {
  if (WITH_BODY.test(sql)) tokensOf(sql, false);
  else parseOne(sql, false);
}

/**
 * Throws `CONFIG` unless the text is one SELECT, VALUES, TABLE or WITH that changes nothing: a READ ONLY transaction alone lets
 * CREATE and DROP pass, which end it, and functions that wait and lock. What is not proven is refused.
 */
export function requireReadOnlyStatement(sql: string): void {
  const tokens = parseOne(sql, true);
  const first = tokens.find(({ text }) => text !== '(');
  if (first === undefined || !READING.has(first.word))
    throw new ConnectorError('CONFIG', 'The statement is not read-only; use SELECT, VALUES or WITH');
  for (const [i, token] of tokens.entries()) {
    const [next, afterNext] = [tokens[i + 1], tokens[i + 2]];
    const why = REFUSED_WORDS[token.word];
    if (why !== undefined) throw new ConnectorError('CONFIG', why);
    if (token.text === ':=')
      throw new ConnectorError('CONFIG', 'Setting a variable is not allowed: it would outlive the statement');
    if (token.word === 'FOR' && next?.word === 'SHARE')
      throw new ConnectorError('CONFIG', 'FOR SHARE locks rows; leave it out');
    if (token.word === 'NEXT' && next?.word === 'VALUE' && afterNext?.word === 'FOR')
      throw new ConnectorError('CONFIG', 'NEXT VALUE changes its sequence; leave it out');
    if (next?.text === '(') requireHarmless(token);
  }
}

function requireHarmless({ text, word }: Token): void {
  const name = text.startsWith('`') || text.startsWith('"') ? text.slice(1, -1) : word;
  if (!REFUSED_FUNCTIONS.test(name.toLowerCase())) return;
  throw new ConnectorError('CONFIG', `The function "${name}" is not allowed in read-only statements`);
}
