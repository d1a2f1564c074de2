import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/** The columns of `Dialect.rows` by name. */
export type RowColumns = Readonly<Record<string, 'bigint' | 'text'>>;

/** The differences between the engines, as named flags. Code outside `store/` reads these and never asks which engine it is. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** The store's clock in milliseconds: all lease arithmetic uses it, so that the clocks of several servers need not agree. */
  readonly nowMs: RawBuilder<number>;
  /** Appended to the claim's subselect, so that concurrent claims skip each other's rows; empty with a single writer. */
  readonly skipLocked: RawBuilder<unknown>;
  /** Appended to a select of a row that this transaction changes; empty where transactions queue anyway. */
  readonly forUpdate: RawBuilder<unknown>;
  /** Rows as a subquery, for `from`: the same bound values and statement text for any number of rows. Texts hold no NUL. */
  rows(columns: RowColumns, rows: readonly object[]): RawBuilder<unknown>;
  /**
   * Takes the lock named by a text column until the transaction ends: 1 if this transaction now holds it, 0 if another does.
   * Never waits.
   */
  tryLock(column: string): RawBuilder<number>;
  /**
   * Writes with several statements, in one round trip where there is one to make. None may read or write a row that another of them
   * writes: they see what was there before all of them.
   */
  together(tx: Transaction<Schema>, statements: readonly RawBuilder<unknown>[]): Promise<void>;
  /**
   * The first statement of a transaction whose statements may take minutes, such as one that deletes a job with its runs. Others
   * are given up after half a minute, as `NOT_READY`.
   */
  allowLong(tx: Transaction<Schema>): Promise<void>;
  /**
   * The first statement of a transaction that finds a few rows of large tables by their indexes. Where a limit stands PostgreSQL may
   * take reading the table from its start for cheaper, and then passes all that was deleted there before.
   */
  preferIndexes(tx: Transaction<Schema>): Promise<void>;
}

export const LONG_STATEMENT_MS_MAX = 15 * 60_000;

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  nowMs: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
  skipLocked: sql``,
  forUpdate: sql``,
  rows(columns, rows) {
    const picked = Object.keys(columns).map(
      (name) => sql`value ->> ${sql.lit(`$.${name}`)} as ${sql.ref(name)}`,
    );
    return sql`(select ${sql.join(picked)} from json_each(${JSON.stringify(rows)}))`;
  },
  tryLock: () => sql<number>`1`,
  async together(tx, statements) {
    for (const statement of statements) await statement.execute(tx);
  },
  allowLong: async () => undefined,
  preferIndexes: async () => undefined,
};

export const postgresDialect: Dialect = {
  name: 'postgres',
  nowMs: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  skipLocked: sql`for update skip locked`,
  forUpdate: sql`for update`,
  rows(columns, rows) {
    const defined = Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
    // Without the limit PostgreSQL expects a hundred rows, for which it reads a table of some ten thousand as a whole.
    return sql`(select * from json_to_recordset(${JSON.stringify(rows)}::json) as given(${sql.join(defined)})
      limit ${rows.length})`;
  },
  tryLock: (column) => sql<number>`(pg_try_advisory_xact_lock(hashtextextended(${sql.ref(column)}, 0)))::int`,
  async together(tx, statements) {
    const [last, ...others] = statements.toReversed();
    if (last === undefined) return;
    const before = others.map((statement, index) => sql`${sql.ref(`written_${index}`)} as (${statement})`);
    await (before.length === 0 ? last : sql`with ${sql.join(before)} ${last}`).execute(tx);
  },
  async allowLong(tx) {
    await sql`set local statement_timeout = ${sql.lit(LONG_STATEMENT_MS_MAX)}`.execute(tx);
  },
  async preferIndexes(tx) {
    await sql`set local enable_seqscan = off`.execute(tx);
  },
};
