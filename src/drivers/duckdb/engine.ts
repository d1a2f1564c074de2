import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteText } from './identifier.ts';
import type { SqlLimits } from './sql-limits.ts';

/** Memory that the engine has freed and not yet given back to the system. */
const FREE_MB_MAX = 1;

export type DuckDb = typeof import('@duckdb/node-api');

/** An engine in memory and a folder for what does not fit; all its connections share both. */
export interface Engine {
  connect(): Promise<DuckDBConnection>;
  /** Ends what all connections do, which then throws. */
  interrupt(): void;
  close(): void;
}

/** `spillFolder`: where rows go that memory does not hold; null: nowhere. */
export async function openEngine(
  duckdb: DuckDb,
  limits: Omit<SqlLimits, 'joinRows'>,
  spillFolder: string | null,
): Promise<Engine> {
  const instance = await duckdb.DuckDBInstance.create(':memory:', {
    threads: String(limits.threads),
    memory_limit: `${limits.memoryMb}MB`,
    // By itself it keeps 128 MB of what it no longer uses.
    allocator_flush_threshold: `${FREE_MB_MAX}MB`,
    temp_directory: spillFolder ?? '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
  const connections: DuckDBConnection[] = [];
  return {
    connect: async () => {
      const connection = await instance.connect();
      connections.push(connection);
      await connection.run("SET TimeZone = 'UTC'");
      // Given with the instance it would be shown and not kept to.
      await connection.run(`SET max_temp_directory_size = '${limits.diskMb}MB'`);
      return connection;
    },
    interrupt: () => {
      for (const connection of connections) connection.interrupt();
    },
    close: () => {
      for (const connection of connections) connection.closeSync();
      instance.closeSync();
    },
  };
}

/** From then on no statement reaches another file than these, the network, an extension or a setting. */
export async function lockEngine(connection: DuckDBConnection, paths: readonly string[]): Promise<void> {
  for (const setting of [
    `allowed_paths = [${paths.map(quoteText).join(', ')}]`,
    'enable_external_access = false',
    'lock_configuration = true',
  ])
    await connection.run(`SET ${setting}`);
}
