import { ConnectorError } from '../../driver.ts';
import type { MissingRows, Versions } from '../../load-request.ts';
import { quoteIdentifier } from '../identifier.ts';
import type { LoadSession } from './load-session.ts';

export interface MissingIn {
  /** As SQL. */
  readonly target: string;
  /** Its own rows, as SQL, where that is written otherwise, as of a table from which others inherit. Default: `target`. */
  readonly own?: string;
  /** The keys that came, as SQL; null where none came. */
  readonly seen: string | null;
  readonly key: readonly string[];
  readonly missing: MissingRows;
  readonly versions: Versions | null;
  /** As the user wrote it. */
  readonly object: string;
}

/**
 * Removes the rows whose key did not come, marks them, or ends their version; gives how many. Rows without a key stay. Throws `TARGET`,
 * and changes nothing, where they are too many to believe.
 */
export async function deleteMissing(session: LoadSession, given: MissingIn): Promise<number> {
  const { target, own = target, seen, key, missing, versions, object } = given;
  const q = quoteIdentifier;
  const end = versions === null ? missing.column : versions.validTo;
  const alive = end === null ? '1 = 1' : `${q(end)} IS NULL`;
  const same = key.map((name) => `seen.${q(name)} = ${target}.${q(name)}`).join(' AND ');
  const unseen = seen === null ? '' : ` AND NOT EXISTS (SELECT 1 FROM ${seen} AS seen WHERE ${same})`;
  const gone = `${[alive, ...key.map((name) => `${q(name)} IS NOT NULL`)].join(' AND ')}${unseen}`;
  const all = await session.count(`SELECT count(*) AS n FROM ${own} WHERE ${alive}`);
  const lost = await session.count(`SELECT count(*) AS n FROM ${own} WHERE ${gone}`);
  if (lost === 0) return 0;
  if (lost > all * missing.maxShare) throw tooMany(object, { all, lost }, missing);
  const at = session.moment(missing.at);
  if (versions !== null) {
    const from = q(versions.validFrom);
    // A version that only begins later has never held.
    const until = `CASE WHEN ${from} > ${at} THEN ${from} ELSE ${at} END`;
    await session.change(
      `UPDATE ${own} SET ${q(versions.validTo)} = ${until}, ${q(versions.current)} = FALSE WHERE ${gone}`,
    );
  } else if (end !== null) await session.change(`UPDATE ${own} SET ${q(end)} = ${at} WHERE ${gone}`);
  else await session.change(`DELETE FROM ${own} WHERE ${gone}`);
  return lost;
}

function tooMany(
  object: string,
  { all, lost }: { readonly all: number; readonly lost: number },
  { maxShare }: MissingRows,
): ConnectorError {
  const share = (part: number) => `${Math.round(part * 1_000) / 10} %`;
  return new ConnectorError(
    'TARGET',
    `${lost} of ${all} rows of "${object}" did not come (${share(lost / all)}), and "delete_missing" may take away at most ${share(maxShare)}: nothing was loaded. Where this is right, raise "max_share"`,
  );
}
