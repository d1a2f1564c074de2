import { randomToken } from '../../base/ids.ts';
import { type Connection, ConnectorError, type ReadRequest, type Row, type WriteMode } from '../driver.ts';
import { parseInput } from '../files/parse-input.ts';
import { BoundValues, type SqlFlavor, type SqlStatement } from './flavor.ts';
import { quoteIdentifier, quoteList } from './identifier.ts';
import * as args from './method-args.ts';
import { type SqlFilter, writePredicate } from './predicate.ts';
import { toBatch } from './row-batch.ts';
import { parseSort, writeSelect } from './select.ts';

/** A connection to a SQL database, as its methods need it. */
export interface SqlTarget extends Pick<Connection, 'read' | 'openWriter'> {
  /** In messages: `PostgreSQL`. */
  readonly title: string;
  readonly flavor: SqlFlavor;
  /** A table's name, quoted. */
  tableSql(table: string): string;
  /** Throws `CONFIG` for more than one statement, or for other values than it reads where the engine would not say so. */
  requireSingleStatement(sql: string, params: readonly unknown[]): Promise<void> | void;
  /** The value of the one column of the one row. */
  count(statement: SqlStatement, signal: AbortSignal): Promise<unknown>;
  /** Rows as the columns of the table hold them exactly; throws `DATA` for one that does not fit. Absent where the engine refuses it. */
  exactRows?(table: string, rows: readonly Row[], signal: AbortSignal): Promise<readonly Row[]>;
  /** `isRaw`: the text is the caller's own. */
  change(statement: SqlStatement, signal: AbortSignal, isRaw?: boolean): Promise<{ readonly rows: number }>;
}

const WHAT = 'the arguments';

/** Runs a method that does not stream rows. */
export async function callMethod(
  target: SqlTarget,
  method: string,
  input: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const { flavor } = target;
  switch (method) {
    case 'get':
      return getRow(target, parseInput(args.getArgs, input, WHAT), signal);
    case 'count': {
      const { table, filter } = parseInput(args.countArgs, input, WHAT);
      return target.count(writeCount(target.tableSql(table), filter, flavor), signal);
    }
    case 'insert': {
      const { table, rows } = parseInput(args.insertArgs, input, WHAT);
      const exact = (await target.exactRows?.(table, rows, signal)) ?? rows;
      return target.change(writeInsert(target.tableSql(table), exact, flavor), signal);
    }
    case 'update': {
      const { table, set, filter } = parseInput(args.updateArgs, input, WHAT);
      const [exact = set] = (await target.exactRows?.(table, [set], signal)) ?? [];
      return target.change(writeUpdate(target.tableSql(table), exact, filter, flavor), signal);
    }
    case 'delete': {
      const { table, filter } = parseInput(args.deleteArgs, input, WHAT);
      return target.change(writeDelete(target.tableSql(table), filter, flavor), signal);
    }
    case 'execute': {
      const { sql, params } = parseInput(args.queryArgs, input, WHAT);
      await target.requireSingleStatement(sql, params);
      return target.change({ sql, params: params.map(flavor.bind) }, signal, true);
    }
    case 'upsert':
    case 'merge':
      return loadRows(target, method, parseInput(args.upsertArgs, input, WHAT), signal);
    default:
      throw new ConnectorError('CONFIG', `"${method}" is not a method that ${target.title} can call`);
  }
}

/** The statement of a method that streams rows; `requireQuery` throws where the text of a query is not allowed. */
export async function readStatement(
  target: Pick<SqlTarget, 'flavor' | 'tableSql'>,
  request: ReadRequest,
  requireQuery: (sql: string, params: readonly unknown[]) => Promise<void> | void,
): Promise<SqlStatement> {
  const { flavor } = target;
  if (request.method === 'query') {
    const { sql, params } = parseInput(args.queryArgs, request.args, WHAT);
    await requireQuery(sql, params);
    return { sql, params: params.map(flavor.bind) };
  }
  if (request.method !== 'list') {
    throw new ConnectorError(
      'CONFIG',
      `"${request.method}" is not a method that returns rows; use "query" or "list"`,
    );
  }
  const list = parseInput(args.listArgs, request.args, WHAT);
  const items =
    list.columns === undefined || list.columns.length === 0 ? ['*'] : list.columns.map(quoteIdentifier);
  const limit = Math.min(list.limit ?? Number.POSITIVE_INFINITY, request.limit ?? Number.POSITIVE_INFINITY);
  const limited = Number.isFinite(limit) ? { limit } : {};
  const from = target.tableSql(list.table);
  return writeSelect({ from, items, filters: [list.filter], sort: parseSort(list.sort), ...limited }, flavor);
}

async function getRow(
  target: SqlTarget,
  { table, key }: { readonly table: string; readonly key: Row },
  signal: AbortSignal,
): Promise<Row | null> {
  const request = { method: 'list', args: { table, filter: key, limit: 1 }, signal };
  let found: Row | null = null;
  // To its end: a session whose read was given up takes no other call.
  for await (const { rows } of target.read(request)) found ??= rows[0] ?? null;
  return found;
}

/** The rows of one call as a load of their own: all of them, or none. */
async function loadRows(
  target: SqlTarget,
  mode: WriteMode,
  { table, key, rows }: { table: string; key: readonly string[]; rows: readonly Row[] },
  signal: AbortSignal,
): Promise<{ readonly rows: number }> {
  const request = { object: table, mode, key, loadId: randomToken(), allowEmpty: false, signal };
  const writer = await target.openWriter(request);
  try {
    await writer.write(toBatch(rows));
    return await writer.commit();
  } finally {
    await writer.abort();
  }
}

/** INSERT of rows that may have different columns; a column that a row lacks gets its default, or null where the engine has no word for that. */
function writeInsert(from: string, rows: readonly Row[], flavor: SqlFlavor): SqlStatement {
  const bound = new BoundValues(flavor);
  const columns = columnsOf(rows);
  flavor.requireDistinct?.(columns);
  const value = (row: Row, column: string) =>
    row[column] === undefined && flavor.defaultWord !== undefined
      ? flavor.defaultWord
      : bound.add(row[column] ?? null);
  const tuples = rows.map((row) => `(${columns.map((column) => value(row, column)).join(', ')})`);
  return {
    sql: `INSERT INTO ${from} (${quoteList(columns)}) VALUES ${tuples.join(', ')}`,
    params: bound.values,
  };
}

function writeUpdate(from: string, set: Row, filter: SqlFilter, flavor: SqlFlavor): SqlStatement {
  const bound = new BoundValues(flavor);
  flavor.requireDistinct?.(Object.keys(set));
  const changes = Object.entries(set).map(
    ([column, value]) => `${quoteIdentifier(column)} = ${bound.add(value)}`,
  );
  return {
    sql: `UPDATE ${from} SET ${changes.join(', ')} WHERE ${writePredicate(filter, bound)}`,
    params: bound.values,
  };
}

function writeDelete(from: string, filter: SqlFilter, flavor: SqlFlavor): SqlStatement {
  const bound = new BoundValues(flavor);
  return { sql: `DELETE FROM ${from} WHERE ${writePredicate(filter, bound)}`, params: bound.values };
}

function writeCount(from: string, filter: SqlFilter, flavor: SqlFlavor): SqlStatement {
  const bound = new BoundValues(flavor);
  const where = writePredicate(filter, bound);
  return {
    sql: `SELECT count(*) FROM ${from}${where === '' ? '' : ` WHERE ${where}`}`,
    params: bound.values,
  };
}

/** Names of all columns of the rows, in the order in which they first appear. */
function columnsOf(rows: readonly Row[]): readonly string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  return [...names];
}
