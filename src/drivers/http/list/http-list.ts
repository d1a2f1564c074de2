import type { Paging } from '../paging/paging-config.ts';
import type { HttpResource, Incremental, Query } from '../resource-config.ts';

/** A list of the API, settled from the configuration and the arguments of a call. */
export interface HttpList {
  /** As people know it: the resource, or the path. */
  readonly name: string;
  readonly resource: Pick<
    HttpResource,
    'path' | 'method' | 'headers' | 'body' | 'format' | 'encoding' | 'infer'
  >;
  readonly query: Query;
  readonly records: string | null;
  /** Where the list is in answers that have nothing at `records`. */
  readonly orRecords?: string;
  readonly paging: Paging;
  readonly incremental: Incremental | null;
  readonly columns: readonly string[] | null;
  readonly primaryKey: readonly string[];
  readonly filter: Readonly<Record<string, unknown>> | null;
  /** Whose records have this list each; absent or null where it is one. */
  readonly parent?: ParentList | null;
}

export interface ParentList {
  readonly name: string;
  readonly list: HttpList;
  /** Columns that its records add, and the fields that they are. */
  readonly include: readonly (readonly [column: string, field: string])[];
  readonly concurrency: number;
}
