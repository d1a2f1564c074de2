import type { Batch, OriginOf, Row } from '../../drivers/driver.ts';
import type { OnRowError, OpPart } from './op-part.ts';

/**
 * Parts of a step's operations, one after another. A row that fails in any of them fails as the step got it, and once: of a row that
 * has become several, none is given on where one of them fails.
 */
export class OpChain implements OpPart {
  filtered = 0;
  readonly #parts: readonly OpPart[];

  constructor(parts: readonly OpPart[]) {
    this.#parts = parts;
  }

  get skipped(): number {
    return this.#parts.reduce((sum, { skipped }) => sum + skipped, 0);
  }

  async apply(batch: Batch, onError: OnRowError): Promise<Batch> {
    const failed = new Set<number>();
    const filtered: number[] = [];
    // On the way the origin of a row is its place in the batch that came.
    let made: Batch = { ...batch, originOf: (index) => ({ record: index }) };
    for (const part of this.#parts) {
      const { originOf } = made;
      const fail: OnRowError = (_, error, index) => {
        const at = placeOf(originOf, index);
        if (failed.has(at)) return;
        failed.add(at);
        onError(batch.rows[at] as Row, error, at);
      };
      made = await part.apply(made, fail, (index) => filtered.push(placeOf(originOf, index)));
    }
    // What was left out of a row that has failed counts for nothing.
    this.filtered += filtered.filter((at) => !failed.has(at)).length;
    return placed(batch, made, failed);
  }
}

function placed({ originOf }: Batch, made: Batch, failed: ReadonlySet<number>): Batch {
  const places = made.rows.map((_, index) => placeOf(made.originOf, index));
  const kept = places.filter((at) => !failed.has(at));
  const rows =
    kept.length === places.length ? made.rows : made.rows.filter((_, i) => !failed.has(places[i] as number));
  return {
    columns: made.columns,
    rows,
    ...(originOf && { originOf: (index: number) => originOf(kept[index] as number) }),
  };
}

function placeOf(originOf: OriginOf | undefined, index: number): number {
  return originOf?.(index).record ?? index;
}
