import type { Lossy } from '../../language/task/steps/load/load-values.ts';

/**
 * What a column of a target holds exactly. A driver makes it of the column as the engine declares it; `exactCell` then gives each value
 * as the column holds it, or refuses it. Bounds that do not exist are `Infinity`.
 */
export type Holding =
  /** Takes any value as it is, with its type. */
  | { readonly kind: 'any' }
  /** The engine itself takes a value exactly or refuses it, whatever it is: nothing is looked at before. */
  | { readonly kind: 'checked' }
  | { readonly kind: 'integer'; readonly min: bigint; readonly max: bigint }
  /** Digits before and after the point. `specials`: NaN and the infinities have a place. */
  | { readonly kind: 'decimal'; readonly whole: number; readonly scale: number; readonly specials: boolean }
  /** IEEE 754, of 24 or 53 significant bits. */
  | { readonly kind: 'number'; readonly bits: 24 | 53; readonly specials: boolean }
  | { readonly kind: 'boolean' }
  /**
   * `chars`: code points; `bytes`: in UTF-8. `padded`: blanks at the end are not kept apart, as in `char(n)`. `nul`: U+0000 may be in it.
   * `planes`: whether characters beyond U+FFFF have a place.
   */
  | {
      readonly kind: 'text';
      readonly chars: number;
      readonly bytes: number;
      readonly padded: boolean;
      readonly nul: boolean;
      readonly planes: boolean;
    }
  /** One of the members, or, where it holds `several`, any of them joined by commas. */
  | { readonly kind: 'choice'; readonly members: readonly string[]; readonly several: boolean }
  /** `fixed`: of just so many, as shorter ones are filled up. */
  | { readonly kind: 'bytes'; readonly max: number; readonly fixed: boolean }
  | { readonly kind: 'bits'; readonly count: number; readonly fixed: boolean }
  /** `min` and `max` as `YYYY-MM-DD`; `specials`: infinity, and years before 1 and after 9999 as the engine writes them. */
  | { readonly kind: 'date'; readonly min: string; readonly max: string; readonly specials: boolean }
  /** `max`: the end of what it holds, such as `24:00:00` or `838:59:59`; `signed`: also negative ones. */
  | {
      readonly kind: 'time';
      readonly digits: number;
      readonly max: string;
      readonly signed: boolean;
      readonly zone: boolean;
    }
  /** `zone`: whether the column holds a moment; else it holds what clocks show, which is in UTC for what comes with an offset. */
  | {
      readonly kind: 'timestamp';
      readonly digits: number;
      readonly zone: boolean;
      readonly min: string;
      readonly max: string;
      readonly specials: boolean;
    }
  | { readonly kind: 'uuid' }
  | { readonly kind: 'json' }
  | { readonly kind: 'array'; readonly of: Holding };

export type { Lossy };
