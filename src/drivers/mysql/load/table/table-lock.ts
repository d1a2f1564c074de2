import { messageOf } from '../../../../base/errors.ts';
import { sha256 } from '../../../../base/ids.ts';
import { ConnectorError } from '../../../driver.ts';
import { ownTablePrefix, type TableName } from '../../introspect.ts';
import type { MysqlClient } from '../../mysql-client.ts';
import { isServerError, serverErrorOf } from '../../mysql-fault.ts';

/** Longest wait for other loads that change the same table; a session that dies gives its lock back. */
const lockWaitS = 3_600;
const LOOKS_MAX = 5;
const HASH_CHARS = 40;

/** The table, a column or an index is there already, or is not there any more, or was changed: whoever looks again knows better. */
const CHANGED_MEANWHILE: ReadonlySet<number> = new Set([
  1050, 1051, 1054, 1060, 1061, 1091, 1146, 1412, 1615,
]);
/** A deadlock, also one of named locks and locks of tables, after which the transaction is gone. */
const DEADLOCKED: ReadonlySet<number> = new Set([1213, 3058]);

/**
 * Changes a table while no other load does. `look` finds the table as it is, and changes what is missing; it is called again where
 * something that knows nothing of the lock has been faster. Commits whatever the session's transaction has.
 */
export async function changingTable<T>(
  client: MysqlClient,
  name: TableName,
  look: () => Promise<T>,
): Promise<T> {
  await lockTable(client, name);
  try {
    return await lookingAgain(look);
  } finally {
    await client.execute('SELECT RELEASE_LOCK(?)', [lockOf(name)]).catch(() => undefined);
  }
}

/** Waits until no other load changes the table, and keeps them from it until the session ends. */
export async function lockTable(client: MysqlClient, name: TableName): Promise<void> {
  const { rows } = await client.execute(`SELECT GET_LOCK(?, ${lockWaitS})`, [lockOf(name)]);
  if (Number(rows[0]?.[0]) === 1) return;
  throw new ConnectorError('UNAVAILABLE', `Another load has been changing "${name.name}" for too long`);
}

/** Names of locks ignore case, as those of tables may. */
function lockOf({ database, name }: TableName): string {
  return ownTablePrefix + sha256(`${database}\n${name}`.toLowerCase()).slice(0, HASH_CHARS);
}

/** Calls `look` again where the server says that a table was changed in between, or has ended one of two that wait for each other. */
export async function lookingAgain<T>(look: () => Promise<T>): Promise<T> {
  for (let left = LOOKS_MAX; ; left -= 1) {
    try {
      return await look();
    } catch (error) {
      const isDeadlocked = isServerError(error) && DEADLOCKED.has(serverErrorOf(error));
      const changed = changedMeanwhile(error);
      if (changed === null && !isDeadlocked) throw error;
      if (left <= 1) throw changed ?? error;
    }
  }
}

/** The fault of a load whose table has been made, changed or removed by another one while it ran; null for other errors. */
export function changedMeanwhile(error: unknown): ConnectorError | null {
  if (!isServerError(error) || !CHANGED_MEANWHILE.has(serverErrorOf(error))) return null;
  const message = `The table was changed while its rows came, so that the load was taken back: ${messageOf(error)}`;
  return new ConnectorError('UNAVAILABLE', message, { cause: error });
}
