import { quoteList } from '../identifier.ts';
import type { KeyedTables, LoadSession } from './load-session.ts';

/** Deletes the rows of the target that have the key of a row of the stage; gives how many rows of the stage changed nothing. */
export async function deleteMatching(session: LoadSession, tables: KeyedTables): Promise<number> {
  const { target, stage, key } = tables;
  const list = quoteList(key);
  // The column on the left tells how both are compared, and a list is looked up in an index of either side.
  const matches = `(${list}) IN (SELECT ${list} FROM ${stage})`;
  const given = await session.count(`SELECT count(*) AS n FROM ${stage}`);
  const found = await session.count(
    `SELECT count(*) AS n FROM (SELECT DISTINCT ${list} FROM ${target} WHERE ${matches}) AS found`,
  );
  await session.deleteBy(tables);
  return given - found;
}
