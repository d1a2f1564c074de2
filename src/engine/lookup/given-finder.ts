import type { Column, Row } from '../../drivers/driver.ts';
import type { LookupOp } from '../../language/task/steps/ops/transform-ops.ts';
import { fieldReader } from '../ops/field-mapping.ts';
import type { Found, KeyFinder } from './key-finder.ts';
import { keyReader, type LookupKey } from './lookup-key.ts';

/** Finds keys among the rows that an example of a task gives in place of a connector. */
export class GivenFinder implements KeyFinder {
  readonly columns: readonly Column[] = [];
  readonly #byKey = new Map<string, Row[]>();

  constructor({ on, fields }: LookupOp, rows: readonly Row[]) {
    const readKey = keyReader(
      on.map(({ right }) => right),
      [],
    );
    for (const row of rows) {
      const key = readKey(row);
      if (key === null) continue;
      const names = new Set(Object.keys(row));
      const made = fields.map(({ left, right }) => [left, fieldReader(right, names)(row) ?? null]);
      const before = this.#byKey.get(key.id) ?? [];
      this.#byKey.set(key.id, [...before, Object.fromEntries(made)]);
    }
  }

  async find(keys: readonly LookupKey[]): Promise<ReadonlyMap<string, Found>> {
    return new Map(keys.map(({ id }) => [id, { rows: this.#byKey.get(id) ?? [] }]));
  }
}
