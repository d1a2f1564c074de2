import { mkdirSync, rmSync } from 'node:fs';
import { type DuckDb, type Engine, openEngine } from '../../drivers/duckdb/engine.ts';
import type { SqlLimits } from '../../drivers/duckdb/sql-limits.ts';
import { untilAborted } from '../until-aborted.ts';
import { loadDuckDb } from './duckdb.ts';
import { sqlFault } from './sql-fault.ts';

const INTERRUPT_MS = 20;

export interface SqlInstanceOptions {
  readonly stepId: string;
  readonly limits: SqlLimits;
  /** Where rows go that memory does not hold; it is made when it is needed. null: nowhere. */
  readonly spillFolder: string | null;
}

/** The engine of one step; its folder goes with it. */
export interface SqlInstance extends Engine {
  readonly duckdb: DuckDb;
}

/** Throws a `RunFault` where the engine is missing. */
export async function openSqlInstance({
  stepId,
  limits,
  spillFolder,
}: SqlInstanceOptions): Promise<SqlInstance> {
  const duckdb = await loadDuckDb(stepId);
  if (spillFolder !== null) mkdirSync(spillFolder, { recursive: true, mode: 0o700 });
  const engine = await openEngine(duckdb, limits, spillFolder);
  return {
    ...engine,
    duckdb,
    close: () => {
      engine.close();
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
