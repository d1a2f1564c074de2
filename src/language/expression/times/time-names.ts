import type { TimeKind } from '../../../base/values/time-order.ts';

/** Which names hold times: columns of `item`, and `value`. */
export interface TimeNames {
  readonly item: ReadonlyMap<string, TimeKind>;
  readonly value: TimeKind | null;
}
