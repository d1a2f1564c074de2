import type { Column, Row } from '../../drivers/driver.ts';
import type { LookupOp } from '../../language/task/steps/ops/transform-ops.ts';
import { fieldReader } from '../ops/field-mapping.ts';
import type { Found, KeyFinder } from './key-finder.ts';
import { keyReader, type LookupKey } from './lookup-key.ts';

/** Finds keys among the rows that an example of a task gives in place of a connector. */
export class GivenFinder implements KeyFinder {
  readonly columns: readonly Column[] = [];
  readonly #op: LookupOp;
  readonly #rows: readonly Row[];

  constructor(op: LookupOp, rows: readonly Row[]) {
    this.#op = op;
    this.#rows = rows;
  }

  async find(keys: readonly LookupKey[]): Promise<ReadonlyMap<string, Found>> {
    const { on, fields } = this.#op;
    const readKey = keyReader(
      on.map(({ right }) => right),
      [],
      keys[0]?.types,
    );
    const found = new Map<string, Row[]>(keys.map(({ id }) => [id, []]));
    for (const row of this.#rows) {
      const into = found.get(readKey(row)?.id ?? '');
      if (into === undefined) continue;
      const names = new Set(Object.keys(row));
      const made = fields.map(({ left, right }) => [left, fieldReader(right, names)(row) ?? null]);
      into.push(Object.fromEntries(made));
    }
    return new Map([...found].map(([id, rows]) => [id, { rows }]));
  }
}
