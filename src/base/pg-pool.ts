import pg from 'pg';

/**
 * A pool of PostgreSQL connections none of which ends the process: one that breaks while it is idle is told to `onIdleError` and
 * replaced when it is needed; one that breaks on loan, between two statements, has nobody else to tell, and fails its next statement.
 * Source: https://node-postgres.com/apis/pool#events.
 */
export function createPgPool(
  config: pg.PoolConfig,
  onIdleError: (error: Error) => void,
  onBroken: (error: Error) => void = () => undefined,
): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', onIdleError);
  pool.on('connect', (client) => client.on('error', onBroken));
  return pool;
}
