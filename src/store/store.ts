import type { Kysely, Transaction } from 'kysely';
import type { Dialect } from './dialect.ts';
import type { LogSchema, Schema } from './schema.ts';

/** A transaction of the state store. Throwing inside rolls it back. */
export type Tx = Transaction<Schema>;

/** Reads that need no transaction, or the transaction itself. */
export type Db = Kysely<Schema>;

/** A write transaction with a bulk insert. */
export interface BulkTx {
  readonly tx: Tx;
  /** Writes rows of a `CopyBuffer` into a table with the engine's own bulk protocol: several times as fast as inserts. */
  copy(table: string, columns: readonly string[], rows: Buffer): Promise<void>;
}

/**
 * The state store. Made by `openStore`; the same over both engines. Whatever is asked of it rejects with `NOT_READY` where the
 * engine does not answer, within 5 s, or cannot store.
 */
export interface Store {
  readonly dialect: Dialect;
  /** Committed state; refuses writes if the engine can. */
  readonly read: Db;
  readonly logs: Kysely<LogSchema>;
  /** Whether the store answers, and takes writes as far as it is known. Answers within 5 s. */
  isReady(): Promise<boolean>;
  /**
   * Several reads of one committed state. Keep it short: in SQLite, other reads wait for its end. No network, hashing or
   * parsing inside.
   */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in one write transaction, the only way to change state. SQLite queues them behind its single writer; PostgreSQL
   * runs `work` again, at most 5 times, after serialization failures and deadlocks, so `work` has no effects beyond the
   * transaction. No network, hashing or parsing inside. A transaction with a `name` is a point where tests kill the process
   * (`base/crash-point.ts`).
   */
  write<T>(work: (tx: Tx) => Promise<T>, name?: string): Promise<T>;
  /** Notifies the listeners of `channel` on every control plane of this store, this one included. Call it after commit; may be lost. */
  notify(channel: string): void;
  /** Calls `listener` at each `notify(channel)`; returns the unsubscribe. */
  listen(channel: string, listener: () => void): () => void;
  /** Paths of the engine's own files, which no connector may open; empty for a server. */
  readonly files: readonly string[];
  /**
   * Set if the engine's calls block their thread: bulk appends then belong in a thread of their own, on the second file. Null:
   * they share the pool.
   */
  readonly bulkFiles: {
    readonly statePath: string;
    readonly logsPath: string;
    /** For the thread's own `createCrashPoint`. */
    readonly crashAt: string | null;
    /** The most that the page cache of each of its connections holds. */
    readonly cacheMb: number;
  } | null;
  /** Set if `bulkFiles` is null: as `write`, for many rows. */
  readonly bulkWrite: (<T>(work: (bulk: BulkTx) => Promise<T>, name?: string) => Promise<T>) | null;
  /**
   * Gives some of the room that deletions have left in the state's file back to the disk; whether there is more. False if the
   * engine does it by itself.
   */
  shrink(): Promise<boolean>;
  /** What was committed is in the main files when it resolves, unless another process has them open. */
  close(): Promise<void>;
}
