import type { Batch } from '../driver.ts';
import type { SqlLimits } from './sql-limits.ts';

/** A table that a query reads, as the engine makes it of files: `read_csv([…])`. */
export interface QueryTable {
  readonly name: string;
  readonly source: string;
}

/** What a child is to do. */
export interface QueryTask {
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly tables: readonly QueryTable[];
  /** The files that may be read, by their real paths. */
  readonly paths: readonly string[];
  readonly limits: Omit<SqlLimits, 'joinRows'>;
  readonly spillFolder: string;
}

/** To the child: the task first, then one `more` for each batch that was taken. */
export type ToQuery = { readonly kind: 'task'; readonly task: QueryTask } | { readonly kind: 'more' };

/** From the child: batches, then its end. */
export type FromQuery =
  | ({ readonly kind: 'batch' } & Pick<Batch, 'columns' | 'rows'>)
  | { readonly kind: 'end' }
  | {
      readonly kind: 'failed';
      readonly why: 'missing' | 'limit' | 'error';
      readonly text: string;
    };
