import { CompiledQuery, type Transaction } from 'kysely';
import { SEARCHED_COLUMNS } from '../lists/name-search.ts';

const WAITING = CompiledQuery.raw('select distinct searched from unindexed_names');
const NONE_WAITS = CompiledQuery.raw('delete from unindexed_names');

const adding = new Map(
  Object.entries(SEARCHED_COLUMNS).map(([table, columns]) => {
    const names = columns.join(', ');
    const waiting = `select id from unindexed_names where searched = '${table}'`;
    const text = `insert into ${table}_trigrams (rowid, ${names}) select id, ${names} from ${table} where id in (${waiting})`;
    return [table, CompiledQuery.raw(text)] as const;
  }),
);

/** Adds to the trigrams of names what the writes of a transaction have named; its last step, so that no reader misses any. */
export async function indexNames<Tables>(tx: Transaction<Tables>): Promise<void> {
  const { rows } = await tx.executeQuery<{ searched: string }>(WAITING);
  if (rows.length === 0) return;
  for (const { searched } of rows) {
    const add = adding.get(searched);
    if (add !== undefined) await tx.executeQuery(add);
  }
  await tx.executeQuery(NONE_WAITS);
}
