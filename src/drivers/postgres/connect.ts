import type { ConnectContext, Connection } from '../driver.ts';
import { parseInput } from '../files/parse-input.ts';
import { postgresConfig } from './config.ts';
import { PostgresConnection } from './connection.ts';
import { SessionPool } from './session-pool.ts';

/** Connecting to the server happens with the first call. */
export async function connectPostgres(config: unknown, context: ConnectContext): Promise<Connection> {
  const parsed = parseInput(postgresConfig, config, 'the configuration');
  return new PostgresConnection(parsed, new SessionPool(parsed, context));
}
