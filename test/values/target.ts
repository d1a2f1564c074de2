import type { Test } from 'tap';
import type { Connection } from '../../src/drivers/driver.ts';
import type { CanonicalValue } from './canonical-values.ts';
import type { Reads } from './meaning.ts';
import type { NewReads } from './new-tables.ts';

/** A column of a target: how the engine declares it, and as what the text that it shows is read. */
export interface TargetColumn {
  /** For tables of the documentation. */
  readonly name: string;
  readonly declared: string;
  readonly reads: Reads;
}

/** A target whose tables have types. */
export interface TypedTarget {
  readonly name: string;
  /** Why it cannot run here; false where it can. */
  readonly skip: false | string;
  readonly columns: readonly TargetColumn[];
  /** Values for which the engine at hand has a place, where another of its kind has one for more. */
  readonly takes?: (value: CanonicalValue) => boolean;
  /** Of targets where a load makes tables: as what its columns are read. */
  readonly newReads?: NewReads;
  open(t: Test): Promise<OpenTarget>;
}

export interface OpenTarget {
  readonly connection: Connection;
  /** Makes the table anew: `id` as its key, and the column `v`. */
  create(table: string, column: TargetColumn): Promise<void>;
  /** Removes the table where there is one. */
  drop?(table: string): Promise<void>;
  /** What the engine itself shows of the rows, by id; null for null. */
  shown(table: string, column: TargetColumn): Promise<ReadonlyMap<number, string | null>>;
}
