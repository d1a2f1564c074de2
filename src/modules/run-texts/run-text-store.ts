import { type RawBuilder, sql } from 'kysely';
import { sha256 } from '../../base/ids.ts';
import type { Db, Tx } from '../../store/store.ts';

const DAY_MS = 86_400_000;
/** A text in use is marked once in this time, so that starts of one job do not wait for each other. */
const MARKED_EVERY_MS = DAY_MS;
/** Unmarked for so long, a text is in use only where a row refers to it: no transaction is open for a day. */
const UNMARKED_MS = 2 * DAY_MS;
/** Below the engines' limits of bound values. */
const TEXTS_PER_STATEMENT = 200;

/** The id of a text that was saved. */
export type TextIds = (content: string) => number;

/** The ids of texts by their content. What is not stored yet is stored, in the transaction of the rows that will refer to it. */
export async function saveTexts(tx: Tx, contents: Iterable<string>, now: number): Promise<TextIds> {
  const ids = new Map<string, number>();
  const byHash = new Map([...new Set(contents)].map((content) => [sha256(content), content]));
  // In one order everywhere, so that two of these never wait for each other.
  const hashes = [...byHash.keys()].sort();
  for (let at = 0; at < hashes.length; at += TEXTS_PER_STATEMENT) {
    const part = hashes.slice(at, at + TEXTS_PER_STATEMENT);
    const found = await tx
      .selectFrom('run_texts')
      .select(['id', 'hash'])
      .where('hash', 'in', part)
      .where('used_at', '>', now - MARKED_EVERY_MS)
      .execute();
    const known = new Set(found.map(({ hash }) => hash));
    const missing = part.filter((hash) => !known.has(hash));
    const saved =
      missing.length === 0
        ? []
        : await tx
            .insertInto('run_texts')
            .values(missing.map((hash) => ({ hash, content: byHash.get(hash) ?? '', used_at: now })))
            .onConflict((oc) => oc.column('hash').doUpdateSet({ used_at: now }))
            .returning(['id', 'hash'])
            .execute();
    for (const { id, hash } of [...found, ...saved]) ids.set(byHash.get(hash) ?? '', id);
  }
  return (content) => {
    const id = ids.get(content);
    if (id === undefined) throw new Error('a text was not saved');
    return id;
  };
}

/** The text that a row refers to by `column`; `own` has that of a row that has not been moved yet. */
export function contentOf(column: string, own: string): RawBuilder<string> {
  return sql<string>`coalesce(
    (select content from run_texts where run_texts.id = ${sql.ref(column)}), ${sql.ref(own)})`;
}

/** Looks at the texts that have been unmarked longest, at most `limit`: deletes those that no row refers to. Gives how many it looked at. */
export async function deleteUnused(tx: Tx, now: number, limit: number): Promise<number> {
  const query = tx
    .selectFrom('run_texts')
    .select('id')
    .where('used_at', '<', now - UNMARKED_MS);
  const ids = (await query.orderBy('used_at').limit(limit).execute()).map(({ id }) => id);
  if (ids.length === 0) return 0;
  await sql`delete from run_texts where id in (${sql.join(ids)}) and used_at < ${now - UNMARKED_MS}
    and not exists (select 1 from runs where yaml_id = run_texts.id)
    and not exists (select 1 from runs where config_id = run_texts.id)
    and not exists (select 1 from runs where tasks_id = run_texts.id)
    and not exists (select 1 from job_runs where plan_id = run_texts.id)
    and not exists (select 1 from job_runs where config_id = run_texts.id)`.execute(tx);
  await tx.updateTable('run_texts').set({ used_at: now }).where('id', 'in', ids).execute();
  return ids.length;
}

/** Two texts of each row of a table, which stood in the row before they were stored once; and where their ids go. */
export const MOVED_TEXTS = [
  { table: 'runs', texts: ['yaml_content', 'config_json'], ids: ['yaml_id', 'config_id'] },
  { table: 'job_runs', texts: ['parsed_json', 'config_json'], ids: ['plan_id', 'config_id'] },
] as const;
type MovedTexts = (typeof MOVED_TEXTS)[number];

export interface UnmovedRow {
  readonly id: number;
  readonly first: string;
  readonly second: string;
}

/** Rows from before texts were stored once, oldest first; locked, but for those that others have. */
export async function lockUnmoved(
  tx: Tx,
  { table, texts, ids }: MovedTexts,
  skipLocked: RawBuilder<unknown>,
  limit: number,
): Promise<UnmovedRow[]> {
  const { rows } = await sql<UnmovedRow>`
    select id, ${sql.ref(texts[0])} as "first", ${sql.ref(texts[1])} as "second" from ${sql.table(table)}
    where ${sql.ref(ids[0])} is null order by id limit ${limit} ${skipLocked}`.execute(tx);
  return rows;
}

export async function moveTexts(
  tx: Tx,
  { table, texts, ids }: MovedTexts,
  id: number,
  textIds: readonly [number, number],
): Promise<void> {
  await sql`update ${sql.table(table)} set
    ${sql.ref(ids[0])} = ${textIds[0]}, ${sql.ref(ids[1])} = ${textIds[1]},
    ${sql.ref(texts[0])} = '', ${sql.ref(texts[1])} = '' where id = ${id}`.execute(tx);
}

export async function hasUnmoved(db: Db): Promise<boolean> {
  for (const { table, ids } of MOVED_TEXTS) {
    const { rows } =
      await sql`select id from ${sql.table(table)} where ${sql.ref(ids[0])} is null limit 1`.execute(db);
    if (rows.length > 0) return true;
  }
  return false;
}
