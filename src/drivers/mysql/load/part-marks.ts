import { randomHex } from '../../../base/ids.ts';
import { ConnectorError } from '../../driver.ts';
import { partStageDays } from '../../load-request.ts';
import { type TableName, tableName } from '../introspect.ts';
import type { MysqlClient } from '../mysql-client.ts';
import type { Session } from '../session-pool.ts';
import { marksOf } from './load-marks.ts';

/** In the place of a load's id: what is to become of the stage. */
const STAGE_MARK = 'stage';
/** Begins the marks of sessions that have opened a part; the name of a session's lock follows. */
const SESSION_MARK = 'session/';
/** Longest wait for who makes or removes the stage; after that its session is ended. */
const lockWaitS = 30;
const LOCK_TRIES = 3;

/**
 * `wanted`: parts may be staged. `renaming`: the stage takes the name of the target, so that it has done so where it is gone. `over`: the
 * stage, or what is left of it, is to be removed.
 */
export type StageState = 'wanted' | 'renaming' | 'over';

const STATES: readonly StageState[] = ['wanted', 'renaming', 'over'];

/** null where nobody has begun. */
export async function stageState(client: MysqlClient, stage: TableName): Promise<StageState | null> {
  const { rows } = await client.execute(
    `SELECT row_count FROM ${marksOf(stage).sql} WHERE load_id = '${STAGE_MARK}' AND object = ?`,
    [stage.name],
  );
  return rows[0] === undefined ? null : (STATES[Number(rows[0][0])] ?? 'over');
}

export async function setStageState(client: MysqlClient, stage: TableName, state: StageState): Promise<void> {
  await client.execute(
    `INSERT INTO ${marksOf(stage).sql} (load_id, object, row_count) VALUES ('${STAGE_MARK}', ?, ?)
     ON DUPLICATE KEY UPDATE row_count = VALUES(row_count)`,
    [stage.name, String(STATES.indexOf(state))],
  );
}

/** Rows of the parts that are in the stage. */
export async function stagedRows(client: MysqlClient, stage: TableName): Promise<number> {
  const { rows } = await client.execute(
    `SELECT SUM(row_count) FROM ${marksOf(stage).sql}
     WHERE object = ? AND load_id <> '${STAGE_MARK}' AND load_id NOT LIKE '${SESSION_MARK}%'`,
    [stage.name],
  );
  return Number(rows[0]?.[0] ?? 0);
}

/** Stages of the same target, by the beginning of their names, that were begun long ago. */
export async function oldStages(
  client: MysqlClient,
  { database }: TableName,
  prefix: string,
): Promise<readonly TableName[]> {
  const marks = marksOf(tableName(database, prefix)).sql;
  const { rows } = await client.execute(
    `SELECT object FROM ${marks} WHERE load_id = '${STAGE_MARK}' AND LEFT(object, ?) = ?
       AND loaded_at < NOW() - INTERVAL ${partStageDays} DAY`,
    [String(prefix.length), prefix],
  );
  return rows.map(([object]) => tableName(database, String(object)));
}

/** Marks a session that works on a part, so that whoever publishes or removes the stage can end it: it may be stopped for ever. */
export async function markSession({ client }: Session, stage: TableName): Promise<void> {
  const lock = SESSION_MARK + randomHex(12);
  await client.execute('SELECT GET_LOCK(?, 0)', [lock]);
  await client.execute(
    `INSERT INTO ${marksOf(stage).sql} (load_id, object, row_count) VALUES (?, ?, CONNECTION_ID())`,
    [lock, stage.name],
  );
}

/** Whoever else still works on a part has lost it to another. A session that has its lock is the one that was marked. */
export async function endSessions(client: MysqlClient, stage: TableName): Promise<void> {
  const { rows } = await client.execute(
    `SELECT row_count FROM ${marksOf(stage).sql} WHERE object = ? AND load_id LIKE '${SESSION_MARK}%'
       AND IS_USED_LOCK(load_id) = row_count AND row_count <> CONNECTION_ID()`,
    [stage.name],
  );
  for (const [id] of rows) await kill(client, Number(id));
}

/** One session at a time makes, publishes or removes a stage. The lock goes with the session, if not before. */
export async function holdingStage<T>(
  client: MysqlClient,
  stage: TableName,
  use: () => Promise<T>,
): Promise<T> {
  for (let left = LOCK_TRIES; ; left -= 1) {
    const { rows } = await client.execute(`SELECT GET_LOCK(?, ${lockWaitS}), IS_USED_LOCK(?)`, [
      stage.name,
      stage.name,
    ]);
    const [got, holder] = rows[0] ?? [];
    if (Number(got) === 1) break;
    if (left === 0) throw new ConnectorError('UNAVAILABLE', 'Another session holds the stage of the parts');
    if (holder !== null && holder !== undefined) await kill(client, Number(holder));
  }
  try {
    return await use();
  } finally {
    await client.execute('SELECT RELEASE_LOCK(?)', [stage.name]).catch(() => undefined);
  }
}

async function kill(client: MysqlClient, session: number): Promise<void> {
  // It may have gone in between.
  await client.query(`KILL ${Math.trunc(session)}`).catch(() => undefined);
}

export async function forgetStage(client: MysqlClient, stage: TableName): Promise<void> {
  await client.execute(`DELETE FROM ${marksOf(stage).sql} WHERE object = ?`, [stage.name]);
}
