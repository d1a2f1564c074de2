import type { Column, Row } from '../../drivers/driver.ts';
import type { LookupKey } from './lookup-key.ts';

/** What is known of one key: the rows that match it, or why it could not be asked for. */
export type Found = { readonly rows: readonly Row[] } | { readonly error: unknown };

/** Finds the rows of keys, in a connector or among rows that are given. */
export interface KeyFinder {
  /** The columns of what was found last that have types of their own; empty where none are known. */
  readonly columns: readonly Column[];
  /** An entry for each of the keys. Throws what no single row is to blame for. */
  find(keys: readonly LookupKey[]): Promise<ReadonlyMap<string, Found>>;
}
