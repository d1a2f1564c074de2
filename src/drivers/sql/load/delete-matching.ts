import { quoteIdentifier } from '../identifier.ts';
import type { LoadSession } from './load-session.ts';

/** Tables by their SQL, and the columns by which their rows belong together. */
export interface KeyedTables {
  readonly target: string;
  readonly stage: string;
  readonly key: readonly string[];
}

/** Deletes the rows of the target that have the key of a row of the stage; gives how many rows of the stage changed nothing. */
export async function deleteMatching(
  session: LoadSession,
  { target, stage, key }: KeyedTables,
): Promise<number> {
  const list = key.map(quoteIdentifier).join(', ');
  // The column on the left tells how both are compared, and a list is looked up in an index of either side.
  const matches = `(${list}) IN (SELECT ${list} FROM ${stage})`;
  const given = await session.count(`SELECT count(*) AS n FROM ${stage}`);
  const found = await session.count(
    `SELECT count(*) AS n FROM (SELECT DISTINCT ${list} FROM ${target} WHERE ${matches}) AS found`,
  );
  await session.change(`DELETE FROM ${target} WHERE ${matches}`);
  return given - found;
}
