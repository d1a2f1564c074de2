import type { ConnectContext, Connection } from '../driver.ts';
import { parseInput } from '../files/parse-input.ts';
import { sqliteConfig } from './config.ts';
import { SqliteConnection } from './connection.ts';
import { DatabaseFile } from './database-file.ts';

export async function connectSqlite(config: unknown, context: ConnectContext): Promise<Connection> {
  return new SqliteConnection(
    new DatabaseFile(parseInput(sqliteConfig, config, 'the configuration'), context),
  );
}
