import type { Compilable, CompiledQuery, DialectAdapter } from 'kysely';
import type { Db, Tx } from './store.ts';

/** Of kysely's adapter, which a handle and its transactions have in common. */
export interface PromptAdapter {
  /**
   * The rows of a statement at once, without a turn of the event loop: kysely's way to an engine that answers within the call costs
   * more than the statement. Null while a transaction has the connection. Only of handles that read.
   */
  rowsNow?: (sql: string, parameters: readonly unknown[]) => object[] | null;
}

/**
 * A query of a hot path, compiled to SQL once per engine: building and compiling it costs several times as much as running it.
 * `build` must use each of its values exactly once, in order; any other query fails at its first use.
 */
export function keptQuery<Values extends readonly unknown[], Row>(
  build: (db: Db, ...values: Values) => Compilable<Row>,
): (db: Db, ...values: Values) => Promise<Row[]> {
  const kept = keptQueries<Row>();
  return (db, ...values) => kept(db, '', values, () => build(db, ...values));
}

/** As `keptQuery`, for a query of a few shapes, such as those of a list's filters: each is compiled once. */
export function keptQueries<Row>(): (
  db: Db,
  shape: string,
  values: readonly unknown[],
  build: () => Compilable<Row>,
) => Promise<Row[]> {
  const kept = new WeakMap<DialectAdapter, Map<string, CompiledQuery<Row>>>();
  return async (db, shape, values, build) => {
    const { adapter } = db.getExecutor();
    const shapes = kept.get(adapter) ?? new Map<string, CompiledQuery<Row>>();
    kept.set(adapter, shapes);
    let compiled = shapes.get(shape);
    if (compiled === undefined) {
      compiled = build().compile();
      requireValues(compiled, values);
      shapes.set(shape, compiled);
    }
    const { rowsNow } = adapter as PromptAdapter;
    const now = rowsNow === undefined || db.isTransaction ? null : rowsNow(compiled.sql, values);
    if (now !== null) return now as Row[];
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters: values });
    return rows;
  };
}

/** As `keptQuery`, for a statement that writes a row of plain values: compiled once for each set of columns that are given. */
export function keptWrite<Rest extends readonly unknown[], Row>(
  build: (tx: Tx, row: object, ...rest: Rest) => Compilable<Row>,
): (tx: Tx, row: object, ...rest: Rest) => Promise<Row[]> {
  const kept = keptQueries<Row>();
  return (tx, row, ...rest) => {
    const given = Object.entries(row).filter(([, value]) => value !== undefined);
    const columns = given.map(([name]) => name).join();
    const values = [...given.map(([, value]) => value), ...rest];
    return kept(tx, columns, values, () => build(tx, Object.fromEntries(given), ...rest));
  };
}

function requireValues({ sql, parameters }: CompiledQuery, values: readonly unknown[]): void {
  if (parameters.length === values.length && parameters.every((value, i) => Object.is(value, values[i])))
    return;
  throw new Error(`A compiled query needs each of its values once and in order: ${sql}`);
}
