import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { type NameSearch, SEARCHED_COLUMNS, type SearchingAdapter } from '../lists/name-search.ts';

/** Names the lock under which servers that start together make the indexes once. */
const LOCK = 'headgate.trigram_indexes';

const INDEXES = Object.entries(SEARCHED_COLUMNS).flatMap(([table, columns]) =>
  columns.map((column) => ({ table, column, index: `${table}_${column}_trigrams` })),
);

/** Says how a handle finds parts of names, which is known once its database has answered. */
export class SearchingPostgresAdapter extends PostgresAdapter implements SearchingAdapter {
  nameSearch: NameSearch = 'start';
}

export async function haveTrigramIndexes<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const names = INDEXES.map(({ index }) => index);
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_indexes
    where schemaname = current_schema() and indexname in (${sql.join(names)})`.execute(db);
  return rows[0]?.count === names.length;
}

/**
 * Makes the indexes that find parts of names; throws where the database neither has the extension `pg_trgm` nor lets this role create
 * it. It comes with PostgreSQL, and the owner of a database may create it.
 */
export async function makeTrigramIndexes<Tables>(db: Kysely<Tables>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${LOCK}, 0))`.execute(tx);
    await sql`create extension if not exists pg_trgm`.execute(tx);
    const { rows } = await sql<{ schema: string }>`select nspname as schema from pg_extension
      join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm'`.execute(tx);
    const operators = sql.id(rows[0]?.schema ?? 'public', 'gin_trgm_ops');
    for (const { table, column, index } of INDEXES)
      await sql`create index if not exists ${sql.id(index)} on ${sql.id(table)}
        using gin (lower(${sql.id(column)}) ${operators})`.execute(tx);
  });
}
