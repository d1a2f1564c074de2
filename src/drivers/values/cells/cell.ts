import type { ColumnType } from '../../driver.ts';
import type { Lossy } from '../holding.ts';

/** A value that is not null as the column holds it. Throws `UnfitValue`. */
export type Cell = (value: unknown) => unknown;

/** What a cell is made for, besides what its column holds. */
export interface CellContext {
  /** Of the column of the rows. */
  readonly from: ColumnType;
  /** The engine's own name of that type; empty where there is none. */
  readonly native: string;
  /** null: a value loses nothing. */
  readonly lossy: Lossy | null;
  /** Told of each value that has lost something. */
  readonly lost: () => void;
}
