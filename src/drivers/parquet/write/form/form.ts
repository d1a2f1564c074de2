import type { SchemaElement } from 'hyparquet';
import type { Column } from '../../../driver.ts';
import type { Holding } from '../../../values/holding.ts';
import type { StoredColumn } from '../chunk/chunk-encoder.ts';
import type { PutValues } from './put-values.ts';

/** How a column is stored, and how its values get there. */
export interface ColumnForm extends StoredColumn {
  readonly put: PutValues;
}

/** A column of the rows, and what its form is made from. */
export interface FormOf {
  readonly column: Column;
  readonly base: SchemaElement;
  /** A value of the column that is neither null nor absent, where there is one. */
  readonly first: unknown;
  /** Values that do not come as they are stored, as a column of this kind holds them. Throws `DATA` for one that it does not hold. */
  readonly cellOf: (holding: Holding) => (value: unknown) => unknown;
}
