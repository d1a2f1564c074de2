import type { Value } from '../../../declare/value.ts';
import type { MapReader } from '../../../yaml/map-reader.ts';
import type { StepList } from '../step-kind.ts';

export interface NestedListRules {
  readonly required?: boolean;
  /** By default each step needs the one before; else none. */
  readonly inOrder: boolean;
  /** What expressions inside may read besides. `reader` is the map that has the list. */
  readonly names?: (reader: MapReader) => readonly string[];
}

/** Makes the declaration of a key that holds steps; null is what an optional one gives where it is absent. */
export type NestedList = <const R extends NestedListRules>(
  words: string,
  rules: R,
) => Value<R extends { readonly required: true } ? StepList : StepList | null>;
