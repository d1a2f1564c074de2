import type { LoadStep } from '../language/task/steps/load/load-step.ts';
import type { Lossy } from './values/holding.ts';

/** Where a target keeps the versions of its rows: its columns, which the rows of a load bring as well. */
export interface Versions {
  readonly validFrom: string;
  readonly validTo: string;
  readonly current: string;
  readonly hash: string;
  /** Rows hold from the time of the load on, which cannot be before that of versions that are there. */
  readonly byLoadTime: boolean;
}

/** What a load has done. */
export interface Committed {
  readonly rows: number;
  /** Absent where none could go. */
  readonly deleted?: number;
  /** Rows that were sent and that the target dropped by itself, such as by a trigger. */
  readonly dropped?: number;
  /** Values that lost something because `WriteRequest.lossy` let them, by column. */
  readonly lossy?: ReadonlyMap<string, number>;
}

/** What becomes of rows of the target whose key comes in no batch of a load. */
export interface MissingRows {
  /** Gets `at`, where it is null; null: the rows are removed, or, where there are versions, these end. */
  readonly column: string | null;
  /** RFC 3339 in UTC, with six digits of a second. */
  readonly at: string;
  /** The load fails where more of the rows would go; 0 to 1. */
  readonly maxShare: number;
}

/** How long the stage of a run that died is kept before another load of the same target removes it. */
export const partStageDays = 7;

/** A load whose rows come in parts, from several writers and attempts. */
export interface PartsRequest {
  /** Table, as the user wrote it. */
  readonly object: string;
  readonly mode: LoadStep['mode'];
  /** Empty for modes without one. */
  readonly key: readonly string[];
  /** Names the load across attempts, as in a `WriteRequest`: an `append` is published once under it. */
  readonly loadId: string;
  /** Names the stage: the same for all attempts of one run, and for no other run. */
  readonly partsId: string;
  /** Whether no rows at all empty the target, in modes that replace them. */
  readonly allowEmpty: boolean;
  readonly rowsMayFail: boolean;
  /** No batch of a part brings a column that those before it lack. */
  readonly columnsAreFixed: boolean;
  readonly lossy?: ReadonlyMap<string, Lossy>;
  readonly signal: AbortSignal;
}

/**
 * The parts of one load, in a stage at the target that outlives its attempts. A part is in the stage wholly, with a mark in the same
 * transaction, or not at all. Rows become visible by `publish`, all at once.
 */
export interface PartedLoad<W, C> {
  /** An earlier attempt has published: nothing is left to be done. */
  readonly alreadyDone: { readonly rows: number } | null;
  /** Throws away the stage, and those of the same target that dead runs left long ago. */
  reset(signal: AbortSignal): Promise<void>;
  /** Parts may be staged from now on, by whoever opens the same load, until it is reset or published. What is staged stays. */
  begin(signal: AbortSignal): Promise<void>;
  /**
   * Opens the writer of a part; `name` is the same for all attempts. Its `alreadyDone` tells that the stage has it. A `TARGET` fault
   * where the load has not begun, or is over.
   */
  openPart(name: string, signal: AbortSignal): Promise<W>;
  /**
   * Gives the rows of the stage to the target and removes the stage, in one transaction. `rows`: how many the parts have put there;
   * with any other number it is a `TARGET` fault, and nothing changes.
   */
  publish(rows: number, signal: AbortSignal): Promise<C>;
}
