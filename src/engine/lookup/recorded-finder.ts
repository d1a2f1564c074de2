import type { Column, Row } from '../../drivers/driver.ts';
import type { LookupOp } from '../../language/task/steps/ops/transform-ops.ts';
import type { Found, KeyFinder } from './key-finder.ts';
import type { LookupKey } from './lookup-key.ts';

/** Keeps what another finder finds, as rows that a `GivenFinder` finds again. */
export class RecordedFinder implements KeyFinder {
  readonly #op: LookupOp;
  readonly #finder: KeyFinder;
  readonly #into: Row[];

  constructor(op: LookupOp, finder: KeyFinder, into: Row[]) {
    this.#op = op;
    this.#finder = finder;
    this.#into = into;
  }

  get columns(): readonly Column[] {
    return this.#finder.columns;
  }

  async find(keys: readonly LookupKey[]): Promise<ReadonlyMap<string, Found>> {
    const { on, fields } = this.#op;
    const found = await this.#finder.find(keys);
    for (const { id, values } of keys) {
      const one = found.get(id);
      for (const row of one !== undefined && 'rows' in one ? one.rows : [])
        this.#into.push({
          ...Object.fromEntries(fields.map(({ left, right }) => [right, row[left] ?? null])),
          ...Object.fromEntries(on.map(({ right }, at) => [right, values[at]])),
        });
    }
    return found;
  }
}
