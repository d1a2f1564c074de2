import { mkdirSync, rmSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { untilAborted } from '../until-aborted.ts';
import { loadDuckDb } from './duckdb.ts';
import { sqlFault } from './sql-fault.ts';
import type { SqlLimits } from './sql-limits.ts';

type DuckDb = Awaited<ReturnType<typeof loadDuckDb>>;

const INTERRUPT_MS = 20;

export interface SqlInstanceOptions {
  readonly stepId: string;
  readonly limits: SqlLimits;
  /** Where rows go that memory does not hold; it is made when it is needed. null: nowhere. */
  readonly spillFolder: string | null;
}

/** The engine of one step, in memory and a folder for what does not fit; all its connections share both. */
export interface SqlInstance {
  readonly duckdb: DuckDb;
  connect(): Promise<DuckDBConnection>;
  /** Ends what all connections do, which then throws. */
  interrupt(): void;
  close(): void;
}

/** Throws a `RunFault` where the engine is missing. */
export async function openSqlInstance({
  stepId,
  limits,
  spillFolder,
}: SqlInstanceOptions): Promise<SqlInstance> {
  const duckdb = await loadDuckDb(stepId);
  if (spillFolder !== null) mkdirSync(spillFolder, { recursive: true, mode: 0o700 });
  const instance = await duckdb.DuckDBInstance.create(':memory:', {
    threads: String(limits.threads),
    memory_limit: `${limits.memoryMb}MB`,
    temp_directory: spillFolder ?? '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
  const connections: DuckDBConnection[] = [];
  return {
    duckdb,
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
      if (spillFolder !== null) rmSync(spillFolder, { recursive: true, force: true });
    },
  };
}

/** Does the work of a step in its engine, which is closed at the end, and ends it when `signal` aborts. Throws a `RunFault`. */
export async function runInEngine(
  engine: Pick<SqlInstance, 'interrupt' | 'close'>,
  signal: AbortSignal,
  stepId: string,
  work: () => Promise<void>,
): Promise<void> {
  const interrupt = () => engine.interrupt();
  signal.addEventListener('abort', interrupt, { once: true });
  const working = work();
  try {
    signal.throwIfAborted();
    await untilAborted(working, signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : sqlFault(error, stepId);
  } finally {
    signal.removeEventListener('abort', interrupt);
    // The engine may not be closed under what it does, which an interrupt ends; what is about to begin does not hear the first.
    const again = setInterval(() => signal.aborted && interrupt(), INTERRUPT_MS);
    await Promise.allSettled([working]);
    clearInterval(again);
    engine.close();
  }
}
