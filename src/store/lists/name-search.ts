import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../store.ts';
import { textMatch } from './text-match.ts';

/** The columns in which lists look for their `q`, each lower-cased; their indexes are made by the migrations `0021-name-search` and after; SQLite's are written by `sqlite/name-index.ts`. */
export const SEARCHED_COLUMNS = {
  tasks: ['name'],
  job_templates: ['name'],
  jobs: ['name'],
  connectors: ['name'],
  dashboards: ['name'],
  ai_references: ['name'],
  explorer_presets: ['name'],
  users: ['email', 'name'],
} as const;
export type SearchedTable = keyof typeof SEARCHED_COLUMNS;

/**
 * How an engine finds a part of a name. `trigram-table`: SQLite's FTS5 table gives the ids. `trigram-index`: the planner of
 * PostgreSQL uses the index of `pg_trgm` by itself. `start`: without that extension, only how names begin is indexed.
 */
export type NameSearch = 'trigram-table' | 'trigram-index' | 'start';

/** Of kysely's adapter, which a handle and its transactions have in common. */
export interface SearchingAdapter {
  readonly nameSearch: NameSearch;
}

/** Shorter ones have no trigram: names that begin with them are found. */
const PART_CHARS_MIN = 3;
const TRIGRAMS_MAX = 32;
/** What more rows hold is found soon by looking at them in the order of the list; fewer are found by their ids. */
const FOUND_ROWS_MAX = 1_000;

/**
 * The condition of rows with `q` in a searched column, in any case; `q` of fewer than three characters, or any in a store that
 * cannot index parts of names, must be how the column begins. Wildcards of the engine are plain characters.
 */
export async function holding(db: Db, table: SearchedTable, q: string): Promise<RawBuilder<boolean>> {
  const { nameSearch } = db.getExecutor().adapter as unknown as SearchingAdapter;
  const text = q.toLowerCase();
  const byStart = nameSearch === 'start' || Array.from(text).length < PART_CHARS_MIN;
  const place = byStart ? 'start' : 'inside';
  const matches = columnsOf(table).map((column) => textMatch(column, text, place));
  const holds = sql<boolean>`(${sql.join(matches, sql` or `)})`;
  if (nameSearch !== 'trigram-table') return holds;
  const ids = byStart ? await idsBeginning(db, table, text) : await idsWithTrigrams(db, table, text);
  if (ids.length > FOUND_ROWS_MAX) return holds;
  const found = sql`select value from json_each(${JSON.stringify(ids)})`;
  return sql<boolean>`(${sql.ref(`${table}.id`)} in (${found}) and ${holds})`;
}

function columnsOf(table: SearchedTable): RawBuilder<string>[] {
  return SEARCHED_COLUMNS[table].map((column) => sql.ref<string>(`${table}.${column}`));
}

/** One more than the maximum where there are that many; among them may be some that do not hold the text. */
async function idsWithTrigrams(db: Db, table: SearchedTable, text: string): Promise<number[]> {
  const chars = Array.from(text);
  const trigrams = chars
    .slice(PART_CHARS_MIN - 1)
    .map((_, at) => chars.slice(at, at + PART_CHARS_MIN).join(''));
  const wanted = [...new Set(trigrams)].slice(0, TRIGRAMS_MAX);
  const match = wanted.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ');
  const index = sql.ref(`${table}_trigrams`);
  const query = sql<{ id: number }>`select rowid as id from ${index} where ${index} match ${match}
    limit ${FOUND_ROWS_MAX + 1}`;
  return (await query.execute(db)).rows.map(({ id }) => id);
}

/** In SQLite. Its index has ASCII in lower case and every other character as it is. */
async function idsBeginning(db: Db, table: SearchedTable, text: string): Promise<number[]> {
  const ranges = columnsOf(table).flatMap((column) =>
    casesOf(text).map((begin) => {
      const last = `${begin}\u{10ffff}`;
      return sql`select id from ${sql.ref(table)} where lower(${column}) >= ${begin} and lower(${column}) < ${last}`;
    }),
  );
  const query = sql<{ id: number }>`${sql.join(ranges, sql` union all `)} limit ${FOUND_ROWS_MAX + 1}`;
  return (await query.execute(db)).rows.map(({ id }) => id);
}

/** Of a lower-case text of two characters at most: with those beyond ASCII also in upper case. */
function casesOf(text: string): readonly string[] {
  return Array.from(text).reduce<readonly string[]>(
    (begins, character) => {
      const cases = new Set([character, character > '\u007f' ? character.toUpperCase() : character]);
      return begins.flatMap((begin) => [...cases].map((one) => begin + one));
    },
    [''],
  );
}
