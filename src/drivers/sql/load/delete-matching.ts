import { quoteList } from '../identifier.ts';
import type { KeyedTables, LoadSession } from './load-session.ts';

/**
 * Deletes the rows of the target that have the key of a row of the stage; gives how many rows of the stage changed nothing. `onDropped` is
 * told how many keys are still there, as the target did not delete their rows, such as by a trigger.
 */
export async function deleteMatching(
  session: LoadSession,
  tables: KeyedTables,
  onDropped?: (rows: number) => void,
): Promise<number> {
  const { target, stage, key } = tables;
  const list = quoteList(key);
  // The column on the left tells how both are compared, and a list is looked up in an index of either side.
  const matches = `(${list}) IN (SELECT ${list} FROM ${stage})`;
  const given = await session.count(`SELECT count(*) AS n FROM ${stage}`);
  const there = `SELECT count(*) AS n FROM (SELECT DISTINCT ${list} FROM ${target} WHERE ${matches}) AS found`;
  const found = await session.count(there);
  await session.deleteBy(tables);
  if (onDropped !== undefined) onDropped(await session.count(there));
  return given - found;
}
