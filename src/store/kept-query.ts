import type { Compilable, CompiledQuery, DialectAdapter } from 'kysely';
import type { Db } from './store.ts';

/**
 * A query of a hot path, compiled to SQL once per engine: building and compiling it costs several times as much as running it.
 * `build` must use each of its values exactly once, in order; any other query fails at its first use.
 */
export function keptQuery<Values extends readonly unknown[], Row>(
  build: (db: Db, ...values: Values) => Compilable<Row>,
): (db: Db, ...values: Values) => Promise<Row[]> {
  const kept = new WeakMap<DialectAdapter, CompiledQuery<Row>>();
  return async (db, ...values) => {
    const { adapter } = db.getExecutor();
    let compiled = kept.get(adapter);
    if (compiled === undefined) {
      compiled = build(db, ...values).compile();
      requireValues(compiled, values);
      kept.set(adapter, compiled);
    }
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters: values });
    return rows;
  };
}

function requireValues({ sql, parameters }: CompiledQuery, values: readonly unknown[]): void {
  if (parameters.length === values.length && parameters.every((value, i) => Object.is(value, values[i])))
    return;
  throw new Error(`A compiled query needs each of its values once and in order: ${sql}`);
}
