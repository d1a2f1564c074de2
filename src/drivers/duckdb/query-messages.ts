import type { PlainText } from '../csv/plain-file.ts';
import type { Batch, Column, Row } from '../driver.ts';
import type { ParquetTable } from '../engine-file.ts';
import type { SqlLimits } from './sql-limits.ts';

/** A file that the engine may read by itself in place of rows, as data. */
export type DirectFile = PlainText | (Omit<ParquetTable, 'isUnchanged'> & { readonly version: string });

export interface QueryTable {
  readonly name: string;
  /** null where its rows are sent. */
  readonly file: DirectFile | null;
}

/** What a child is to do. */
export interface QueryTask {
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly tables: readonly QueryTable[];
  readonly limits: SqlLimits;
  readonly spillFolder: string;
}

/** To the child: the task first; rows of the table that it wants, until `rows_end`; one `more` for each batch that was taken. */
export type ToQuery =
  | { readonly kind: 'task'; readonly task: QueryTask }
  | { readonly kind: 'rows'; readonly columns: readonly Column[]; readonly rows: Row[] }
  | { readonly kind: 'rows_end' }
  | { readonly kind: 'more' };

/** From the child: the tables whose rows it wants, one after the other, and `taken` for each batch of them; then batches, then its end. */
export type FromQuery =
  | { readonly kind: 'wants'; readonly table: string }
  | { readonly kind: 'taken' }
  | ({ readonly kind: 'batch' } & Pick<Batch, 'columns' | 'rows'>)
  | { readonly kind: 'end' }
  | {
      readonly kind: 'failed';
      readonly why: 'missing' | 'limit' | 'error';
      readonly text: string;
    };
