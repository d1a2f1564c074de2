import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { ConnectorError } from '../driver.ts';

/** Functions with effects beyond the transaction, that reach files or other servers, or that run SQL given as text. */
const REFUSED_FUNCTIONS = new RegExp(
  `^(?:${[
    'set_config',
    'pg_(?:try_)?advisory_.*',
    'pg_(?:cancel|terminate)_backend',
    'pg_(?:read|ls|stat|file)_.*',
    'pg_(?:reload|rotate|promote|switch|create|drop|copy|log|start|stop|backup|import|replication|logical|wal)_?.*',
    'pg_notify',
    'pg_stat_reset.*',
    'pg_sync_replication_slots',
    'pg_current_logfile',
    'lo_.*',
    'loread',
    'lowrite',
    'dblink.*',
    'query_to_xml.*',
    'cursor_to_xml.*',
    'ts_stat',
    'ts_rewrite',
    'crosstab.*',
    'connectby',
    'nextval',
    'setval',
  ].join('|')})$`,
);
const nodeDepthMax = 1_000;

/** Parses the text with PostgreSQL's own grammar. Throws `CONFIG` unless it is exactly one statement. */
async function parseOne(sql: string): Promise<Record<string, unknown>> {
  if (sql.includes('\0')) throw new ConnectorError('CONFIG', 'The statement contains a NUL character');
  // Loads need it not, and it takes 10 MB.
  const { loadModule, parseSync } = await import('libpg-query');
  await loadModule();
  let statements: readonly unknown[];
  try {
    statements = parseSync(sql).stmts ?? [];
  } catch (error) {
    throw new ConnectorError('CONFIG', `PostgreSQL cannot parse the statement: ${messageOf(error)}`, {
      cause: error,
    });
  }
  const [first, second] = statements;
  if (second !== undefined)
    throw new ConnectorError('CONFIG', 'Only one statement is allowed; there is text after its semicolon');
  if (!isRecord(first) || !isRecord(first['stmt'])) {
    throw new ConnectorError('CONFIG', 'The text contains no statement');
  }
  return first['stmt'];
}

export async function requireSingleStatement(sql: string): Promise<void> {
  await parseOne(sql);
}

/**
 * Throws `CONFIG` unless the text is one SELECT or VALUES that changes nothing: no INSERT, UPDATE, DELETE or MERGE at any depth, no
 * INTO, no row locks, and no function with effects of its own, such as those that a superuser's READ ONLY transaction lets through.
 */
export async function requireReadOnlyStatement(sql: string): Promise<void> {
  const statement = await parseOne(sql);
  if (!isRecord(statement['SelectStmt'])) {
    throw new ConnectorError('CONFIG', 'The statement is not read-only; use SELECT, VALUES or WITH');
  }
  requireReading(statement, 0);
}

function requireReading(node: unknown, depth: number): void {
  if (depth > nodeDepthMax) throw new ConnectorError('CONFIG', 'The statement is nested too deeply');
  if (Array.isArray(node)) {
    for (const item of node) requireReading(item, depth + 1);
    return;
  }
  if (!isRecord(node)) return;
  for (const [name, value] of Object.entries(node)) {
    if (name.endsWith('Stmt') && name !== 'SelectStmt') {
      throw new ConnectorError('CONFIG', 'The statement is not read-only; use SELECT, VALUES or WITH');
    }
    if (name === 'intoClause')
      throw new ConnectorError('CONFIG', 'SELECT INTO writes a table; leave INTO out');
    if (name === 'lockingClause')
      throw new ConnectorError('CONFIG', 'FOR UPDATE and FOR SHARE lock rows; leave them out');
    if (name === 'FuncCall' && isRecord(value)) requireHarmless(value['funcname']);
    requireReading(value, depth + 1);
  }
}

function requireHarmless(parts: unknown): void {
  const last: unknown = Array.isArray(parts) ? parts.at(-1) : undefined;
  const text = isRecord(last) && isRecord(last['String']) ? last['String']['sval'] : undefined;
  if (typeof text === 'string' && REFUSED_FUNCTIONS.test(text.toLowerCase())) {
    throw new ConnectorError('CONFIG', `The function "${text}" is not allowed in read-only statements`);
  }
}
