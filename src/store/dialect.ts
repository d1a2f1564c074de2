import { type RawBuilder, sql } from 'kysely';

/** What differs between the engines, by name. Code outside `store/` reads these flags and never asks which engine it is. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** The store's clock in milliseconds: all lease arithmetic uses it, so that the clocks of several servers need not agree. */
  readonly nowMs: RawBuilder<number>;
  /** Appended to the claim's subselect, so that concurrent claims pass each other by; empty where there is one writer. */
  readonly skipLocked: RawBuilder<unknown>;
  /** Appended to a select of a row that this transaction decides upon; empty where transactions queue anyway. */
  readonly forUpdate: RawBuilder<unknown>;
}

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  nowMs: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
  skipLocked: sql``,
  forUpdate: sql``,
};

export const postgresDialect: Dialect = {
  name: 'postgres',
  nowMs: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  skipLocked: sql`for update skip locked`,
  forUpdate: sql`for update`,
};
