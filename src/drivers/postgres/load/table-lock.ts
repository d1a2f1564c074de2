import type { ClientBase } from 'pg';
import { ConnectorError } from '../../driver.ts';
import type { TableName } from '../introspect.ts';

/** Longest wait for a lock that another transaction has on the target. */
export const lockWaitMs = 120_000;
/** Longest wait for another load that makes the same table, a column or an index of it, or replaces its rows. */
export const loadWaitMs = 3_600_000;
/** How long a load whose later rows may bring columns waits for another one of the same table, before it runs beside it. */
export const evolveWaitMs = 15_000;

const lockTimedOut = '55P03';

/**
 * The right to change what a table is, or to make it: one transaction has it at a time, until it ends. Who may need it takes it before any
 * lock on the table, or not at all, so that two loads never wait for each other.
 */
export async function lockDefinition(
  client: ClientBase,
  name: TableName,
  waitMs: number = loadWaitMs,
): Promise<void> {
  await client.query(`SET LOCAL lock_timeout = ${waitMs}`);
  await client.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [lockName(name)]);
  await client.query(`SET LOCAL lock_timeout = ${lockWaitMs}`);
}

/** True when the right was free, or came free in that time. */
export async function lockedDefinition(
  client: ClientBase,
  name: TableName,
  waitMs: number,
): Promise<boolean> {
  await client.query('SAVEPOINT definition');
  try {
    if (waitMs > 0) await lockDefinition(client, name, waitMs);
    else if (!(await triedLock(client, name))) return false;
  } catch (error) {
    if ((error as { code?: string }).code !== lockTimedOut) throw error;
    await client.query(`ROLLBACK TO SAVEPOINT definition; SET LOCAL lock_timeout = ${lockWaitMs}`);
    return false;
  }
  await client.query('RELEASE SAVEPOINT definition');
  return true;
}

async function triedLock(client: ClientBase, name: TableName): Promise<boolean> {
  const { rows } = await client.query<{ ok: boolean }>(
    `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS ok`,
    [lockName(name)],
  );
  return rows[0]?.ok === true;
}

function lockName(name: TableName): string {
  return `headgate ${name.sql}`;
}

/** Another load has rows in the table as well, and both want to change what it is. */
export function changedByOther(name: TableName): ConnectorError {
  return new ConnectorError(
    'UNAVAILABLE',
    `Another load changes the columns of "${name.name}" at the same time; this one was taken back`,
  );
}
