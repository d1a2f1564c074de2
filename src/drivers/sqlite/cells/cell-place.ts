import type { SQLInputValue } from 'node:sqlite';
import type { Column } from '../../driver.ts';
import type { Holding } from '../../values/holding.ts';

/** A value of a row as SQLite keeps it, exactly. Throws `DATA`. */
export type CellWriter = (value: unknown) => SQLInputValue;

/** One column of the rows, and the one of the table that it goes into. */
export interface CellPlace {
  readonly column: Column;
  readonly declared: string;
  readonly isKey: boolean;
  /** Whether its values may lose something. */
  readonly isLossy: boolean;
  /** What goes into a column that holds this; null where nothing needs to be looked at. */
  exact(holding: Holding): ((value: unknown) => unknown) | null;
  refuse(value: unknown, why: string): never;
}
