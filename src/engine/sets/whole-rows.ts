import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { Batch, Column, Row } from '../../drivers/driver.ts';

/** Rows that a query gives back: `rowOf` makes each of the values of its result, and what it lacks of `columns` is absent. */
export async function* wholeRows(
  connection: DuckDBConnection,
  query: string,
  columns: readonly Column[],
  rowOf: (values: readonly DuckDBValue[]) => Row,
): AsyncGenerator<Batch, void, undefined> {
  const blank: Row = Object.fromEntries(columns.map(({ name }) => [name, undefined]));
  const result = await connection.stream(query);
  const width = result.columnCount;
  let count = 0;
  for (let chunk = await result.fetchChunk(); (chunk?.rowCount ?? 0) > 0; chunk = await result.fetchChunk()) {
    const values = Array.from({ length: width }, (_, at) => chunk?.getColumnValues(at) ?? []);
    const rows = Array.from({ length: chunk?.rowCount ?? 0 }, (_, at) =>
      Object.assign({ ...blank }, rowOf(values.map((column) => column[at] ?? null))),
    );
    count += rows.length;
    yield { columns, rows };
  }
  if (count === 0) yield { columns, rows: [] };
}
