import { ConnectorError } from '../../driver.ts';
import type { Versions } from '../../load-request.ts';
import { quoteIdentifier, quoteList } from '../identifier.ts';
import type { LoadSession } from './load-session.ts';

/** A table that keeps the versions of its rows, and a stage with the rows that came, in the order of a column. */
export interface VersionedTables {
  /** Both as SQL. */
  readonly target: string;
  /** The target's own rows, as SQL, where that is written otherwise, as of a table from which others inherit. Default: `target`. */
  readonly own?: string;
  readonly stage: string;
  /** Of the stage; whole numbers from 1. */
  readonly order: string;
  /** Columns of the stage that the target gets. */
  readonly columns: readonly string[];
  readonly key: readonly string[];
  readonly versions: Versions;
  /** The target, as the user wrote it. */
  readonly object: string;
  /** Every row has come, so that a key of the stage is there now, however old its row is: RFC 3339, as of the load; else null. */
  readonly presentAt: string | null;
  /** Told how many rows the target did not take without a word, such as by a trigger. Absent: nobody asks. */
  readonly onDropped?: (rows: number) => void;
}

/**
 * Gives the rows of the stage to the target as versions. A row that says what the version of its time says changes nothing; one that
 * differs ends that version and begins another, which holds until the next one that is there, or until its predecessor would have
 * ended. So late rows find their place, and the same rows again change nothing. Of rows with the same key and time the last one
 * counts; it takes the place of a version that begins at the same time. Gives how many rows changed nothing.
 */
export async function keepVersions(session: LoadSession, tables: VersionedTables): Promise<number> {
  const { target, own: ownRows = target, stage, key, versions } = tables;
  const q = quoteIdentifier;
  const plan = await planOf(session, tables);
  const same = [...key.map((name) => `t.${q(name)} = p.${q(name)}`), `t.${q(versions.validFrom)} = p.f`].join(
    ' AND ',
  );
  await session.changeBy({
    target: ownRows,
    set: [
      [q(versions.validTo), 'p.upto'],
      [q(versions.current), 'FALSE'],
    ],
    from: `${plan} AS p`,
    where: `${same} AND p.was = 1 AND p.upto IS NOT NULL AND (p.e IS NULL OR p.upto < p.e)`,
  });
  const own = new Set([...key, versions.validFrom, versions.validTo, versions.current]);
  const content = tables.columns.filter((name) => !own.has(name));
  const joined = `${plan} AS p JOIN ${stage} AS s ON s.${q(tables.order)} = p.written`;
  const changed = await session.changeBy({
    target: ownRows,
    set: content.map((name) => [q(name), `s.${q(name)}`]),
    from: joined,
    where: `${same} AND p.was = 1`,
  });
  const names = [...key, versions.validFrom, versions.validTo, versions.current, ...content];
  const values = [
    ...key.map((name) => `s.${q(name)}`),
    'p.f, p.upto, p.upto IS NULL',
    ...content.map((name) => `s.${q(name)}`),
  ];
  const added = await session.change(
    `INSERT INTO ${target} (${quoteList(names)}) SELECT ${values.join(', ')} FROM ${joined} WHERE p.was = 0`,
  );
  const given = await session.count(`SELECT count(*) AS n FROM ${stage}`);
  const written = await session.count(`SELECT count(*) AS n FROM ${plan} WHERE written > 0`);
  tables.onDropped?.(written - changed - added);
  return given - written;
}

/**
 * What is to be done, version by version: its key, from when (`f`) and until when (`upto`) it holds, whether it `was` there and until
 * when (`e`), and which row of the stage is `written` (0: none).
 */
async function planOf(session: LoadSession, tables: VersionedTables): Promise<string> {
  const { target, own = target, stage, order, key, versions } = tables;
  const { validFrom, validTo, hash } = versions;
  const [k, from, to, h] = [
    quoteList(key),
    quoteIdentifier(validFrom),
    quoteIdentifier(validTo),
    quoteIdentifier(hash),
  ];
  // Of the stage no statement reads twice: MySQL cannot open a temporary table a second time.
  const events = await session.keep(
    `SELECT ${k}, ${from} AS f, ${to} AS e, ${h} AS h, 0 AS n FROM ${own}
     WHERE (${k}) IN (SELECT ${k} FROM ${stage}) AND ${from} IS NOT NULL`,
  );
  await session.change(
    `INSERT INTO ${events} (${k}, f, e, h, n) SELECT ${k}, ${from}, NULL, ${h}, ${quoteIdentifier(order)} FROM ${stage}`,
  );
  if (versions.byLoadTime) await requireLater(session, events, tables.object);
  const placed = tables.presentAt === null ? events : presentNow(events, k, session.moment(tables.presentAt));
  // One row for each time: the last one that came, or the version that is there.
  const times = `SELECT * FROM (
     SELECT ${k}, f, h, n,
       MAX(e) OVER (PARTITION BY ${k}, f) AS e,
       CASE WHEN MIN(n) OVER (PARTITION BY ${k}, f) = 0 THEN 1 ELSE 0 END AS was,
       MAX(CASE WHEN n = 0 THEN h END) OVER (PARTITION BY ${k}, f) AS old,
       ROW_NUMBER() OVER (PARTITION BY ${k}, f ORDER BY n DESC) AS place
     FROM ${placed} AS a) AS b WHERE place = 1`;
  const byTime = `PARTITION BY ${k} ORDER BY f`;
  // `g` counts the versions that are there: all rows of one `g` fall to the version that begins it.
  const before = `SELECT c.*, SUM(was) OVER (${byTime}) AS g,
       LAG(h) OVER (${byTime}) AS h_before, LAG(f) OVER (${byTime}) AS f_before, LAG(was) OVER (${byTime}) AS was_before
     FROM (${times}) AS c`;
  const covered = `SELECT d.*, MAX(CASE WHEN was = 1 THEN e END) OVER (PARTITION BY ${k}, g) AS cover FROM (${before}) AS d`;
  // What the time before says holds on here, unless that ended in between.
  const holds = 'cover IS NULL OR cover > f OR (was_before = 0 AND cover <= f_before)';
  const kept = `SELECT x.*, CASE WHEN was = 1 THEN e WHEN cover > f THEN cover END AS bound,
       LEAD(f) OVER (${byTime}) AS next
     FROM (${covered}) AS x WHERE was = 1 OR h_before IS NULL OR h <> h_before OR NOT (${holds})`;
  return session.keep(
    `SELECT ${k}, f, e, was,
       CASE WHEN n > 0 AND (was = 0 OR old IS NULL OR h <> old) THEN n ELSE 0 END AS written,
       CASE WHEN next IS NULL THEN bound WHEN bound IS NULL OR next < bound THEN next ELSE bound END AS upto
     FROM (${kept}) AS y`,
  );
}

/** What came last in time of a key whose last version has ended holds from the load on: the key is there again. All rows of that time move. */
function presentNow(events: string, k: string, at: string): string {
  const newest = `MAX(CASE WHEN n > 0 THEN f END) OVER (PARTITION BY ${k})`;
  return `(SELECT ${k}, e, h, n,
     CASE WHEN n > 0 AND f = newest AND there > 0 AND still = 0 AND f < last_end THEN ${at} ELSE f END AS f
   FROM (SELECT o.*, ${newest} AS newest,
       SUM(CASE WHEN n = 0 THEN 1 ELSE 0 END) OVER (PARTITION BY ${k}) AS there,
       SUM(CASE WHEN n = 0 AND e IS NULL THEN 1 ELSE 0 END) OVER (PARTITION BY ${k}) AS still,
       MAX(e) OVER (PARTITION BY ${k}) AS last_end
     FROM ${events} AS o) AS z)`;
}

/** Rows that hold from now on cannot be before what is there. */
async function requireLater(session: LoadSession, events: string, object: string): Promise<void> {
  const isBefore = await session.count(
    `SELECT CASE WHEN MAX(CASE WHEN n = 0 THEN f END) > MAX(CASE WHEN n > 0 THEN f END) THEN 1 ELSE 0 END AS n FROM ${events}`,
  );
  if (isBefore === 0) return;
  const message = `"${object}" has versions that begin after the time of this load, so nothing was loaded: the clock of this machine is behind, or "as_of" was used before`;
  throw new ConnectorError('TARGET', message);
}
