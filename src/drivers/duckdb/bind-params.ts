import type { DuckDBPreparedStatement, DuckDBValue } from '@duckdb/node-api';
import { QueryRefused } from './own-tables.ts';

/** Gives a query its values; those that it does not read are left out. Throws `QueryRefused` where it reads one that is not there. */
export function bindParams(
  statement: DuckDBPreparedStatement,
  params: Readonly<Record<string, unknown>>,
): void {
  const names = Array.from({ length: statement.parameterCount }, (_, i) => statement.parameterName(i + 1));
  const missing = names.filter((name) => !Object.hasOwn(params, name));
  if (missing.length > 0)
    throw new QueryRefused(
      `The query reads ${missing.map((name) => `$${name}`).join(', ')}, which "params" does not have`,
    );
  if (names.length > 0)
    statement.bind(Object.fromEntries(names.map((name) => [name, params[name] as DuckDBValue])));
}
