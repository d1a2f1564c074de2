import type { DuckDBConnection } from '@duckdb/node-api';
import { isRecord } from '../../base/json.ts';
import { quoteText } from './identifier.ts';

/** A query that reads what is not its own. The message says where, and what it may read. */
export class QueryRefused extends Error {}

export const NO_SELECT =
  'The query must be one SELECT: it cannot write, attach, install, copy or set anything';

/** They make rows of what they are given; the others read files, or tell of the engine: its settings, its views and their files. */
const TABLE_FUNCTIONS: ReadonlySet<string> = new Set([
  'generate_series',
  'json_each',
  'json_tree',
  'range',
  'repeat',
  'repeat_row',
  'unnest',
]);
const TELLING_FUNCTIONS: ReadonlySet<string> = new Set([
  'current_setting',
  'json_serialize_plan',
  'pg_get_constraintdef',
  'pg_get_viewdef',
]);
const OWN_PLACES: ReadonlySet<string> = new Set(['', 'main', 'memory']);
const ENGINE_VIEWS = `SELECT lower(view_name) FROM duckdb_views() WHERE internal AND schema_name <> 'information_schema'`;

/**
 * Refuses a SELECT that reads the engine's catalogue or settings, which name the files of the query by their paths, and whatever is
 * no SELECT. `tables`: those of the query; one that is not there is left to the engine. Gives the parsed query. Throws `QueryRefused`.
 */
export async function requireOwnTables(
  connection: DuckDBConnection,
  sql: string,
  tables: readonly string[],
): Promise<unknown> {
  const found = await connection.runAndReadAll(`SELECT json_serialize_sql(${quoteText(sql)})`);
  const tree: unknown = JSON.parse(String(found.value(0, 0)));
  // Such as PRAGMA, which the engine may prepare as a SELECT.
  if (isRecord(tree) && tree['error'] === true) throw new QueryRefused(NO_SELECT);
  const views = await connection.runAndReadAll(ENGINE_VIEWS);
  const engines = new Set(views.getRows().map(([name]) => String(name)));
  for (const table of tables) engines.delete(table.toLowerCase());
  for (const node of recordsOf(tree)) {
    const problem = problemOf(node, engines);
    if (problem !== null) throw new QueryRefused(`${lineOf(sql, node['query_location'])}${problem}`);
  }
  return tree;
}

/** All records inside, at every depth. */
export function* recordsOf(tree: unknown): Generator<Readonly<Record<string, unknown>>, void, undefined> {
  const open: unknown[] = [tree];
  while (open.length > 0) {
    const value = open.pop();
    if (Array.isArray(value)) open.push(...value);
    else if (isRecord(value)) {
      yield value;
      open.push(...Object.values(value));
    }
  }
}

function problemOf(node: Readonly<Record<string, unknown>>, engines: ReadonlySet<string>): string | null {
  const text = (key: string) => String(node[key] ?? '').toLowerCase();
  if (node['type'] === 'BASE_TABLE') {
    const isOwn = OWN_PLACES.has(text('schema_name')) && OWN_PLACES.has(text('catalog_name'));
    return isOwn && !engines.has(text('table_name')) ? null : notOwn(node['table_name']);
  }
  if (node['type'] === 'SHOW_REF' && !isRecord(node['query']))
    return 'The query can only read its own tables, not list those of the engine';
  const { function: called } = node;
  if (node['type'] === 'TABLE_FUNCTION' && isRecord(called)) {
    const name = String(called['function_name']);
    if (TABLE_FUNCTIONS.has(name.toLowerCase())) return null;
    return `The query may not read "${name}": of the functions that give rows it has ${[...TABLE_FUNCTIONS].join(', ')}`;
  }
  if (!TELLING_FUNCTIONS.has(text('function_name'))) return null;
  return `The query may not call "${String(node['function_name'])}", which tells of the engine and not of its tables`;
}

function notOwn(name: unknown): string {
  return `The query can only read its own tables, and "${String(name)}" is not one of them`;
}

/** `Line 2 of the query: `; the place is one in bytes. */
function lineOf(sql: string, place: unknown): string {
  const bytes = Buffer.from(sql);
  if (typeof place !== 'number' || place > bytes.length) return '';
  const line = bytes.subarray(0, place).toString().split('\n').length;
  return `Line ${line} of the query: `;
}
