import type { Logger } from '../base/logger.ts';
import type { ThreadData } from './host-messages.ts';
import type { Answer, Call, EntryName } from './messages/calls.ts';

export interface WorkerPoolOptions {
  readonly logger: Logger;
  readonly data: ThreadData;
  /** Default: the machine's cores, at least 2. */
  readonly threads?: number;
  /** Calls that share a thread while they wait for input or output, default 8. */
  readonly callsPerThread?: number;
  /** Calls that wait for the host, default 1,000; one more is `NOT_READY`. */
  readonly queueMax?: number;
  /** Longest wait for the host, default 30,000. */
  readonly queueWaitMsMax?: number;
  /** Wall time of a call unless it names its own, default 10,000. */
  readonly callTimeoutMs?: number;
  /** Heap of one thread, default 256. */
  readonly heapMbMax?: number;
  /** Longest answer in characters of JSON, default 8 million. */
  readonly outputCharsMax?: number;
  /** Hosts for calls that must run alone, default 2. */
  readonly isolatedHosts?: number;
  readonly hostEntry?: string;
  /** Thread entries, default those of `workers/`. */
  readonly entries?: Partial<Readonly<Record<EntryName, string>>>;
  /** Node's flags for the host, default none. */
  readonly execArgv?: readonly string[];
}

export interface RunOptions {
  /** Ends the wait at once, with the signal's reason, and aborts the call's own signal. */
  readonly signal?: AbortSignal;
  /** Wall time from the moment that a thread takes the call, or from the last part of its answer. */
  readonly timeoutMs?: number;
  /** For a call with effects: where its thread or host is lost after it was sent, it fails instead of running again. */
  readonly once?: boolean;
  /** Takes the parts of an answer that come ahead of it, counted from 0: anew, where the call has to run again. */
  readonly onPart?: (index: number, text: string) => void;
}

export interface WorkerPoolStats {
  readonly queued: number;
  readonly running: number;
  /** Calls that run alone, or wait to, because their thread or host was lost while others ran beside them. */
  readonly isolated: number;
  /** Hosts that died so far. */
  readonly restarts: number;
  readonly hostPid: number | undefined;
  /** Of the host and, with `drafts`, of the one in which editors try things out. */
  readonly memory: HostMemory;
  readonly drafts?: HostMemory;
}

/** Resident memory of a host process, and at how much it is ended; 0 while there is none. */
export interface HostMemory {
  readonly bytes: number;
  readonly bytesMax: number;
}

export interface WorkerPool {
  /**
   * Runs one call in the worker host. Rejects with `UNPROCESSABLE` for the call that exceeded its time, memory or output,
   * `NOT_READY` when too many wait or the pool stops, and with what the call's own code throws.
   */
  run<T extends Call>(call: T, options?: RunOptions): Promise<Answer<T['kind']>>;
  stats(): WorkerPoolStats;
  /** Starts the host, which else starts with the first call, and resolves when it takes calls. */
  ready(): Promise<void>;
  /** Ends the host and rejects what waits. */
  stop(): Promise<void>;
}
