import type { ConnectContext } from '../drivers/driver.ts';
import type { Failure } from './failure.ts';
import type { CallKind, EntryName } from './messages/calls.ts';

/** Settings of one worker host; its first message. */
export interface HostSettings {
  readonly threads: number;
  /** Calls that one thread may hold at once; they share it while they wait for input or output. */
  readonly callsPerThread: number;
  readonly heapMbMax: number;
  /** Of the whole process: what threads hold outside of their heaps has no other limit. */
  readonly processMbMax: number;
  readonly outputCharsMax: number;
  /** Absolute path of each thread entry. */
  readonly entries: Readonly<Record<EntryName, string>>;
  readonly data: ThreadData;
}

const PROCESS_MB = 192;
const MB_BESIDE_HEAP = 128;

/** Room for the heaps of all threads, and beside each for what its calls hold outside of it: rows on their way, files, pages. */
export function processMbMaxOf(threads: number, heapMbMax: number): number {
  return PROCESS_MB + threads * (heapMbMax + MB_BESIDE_HEAP);
}

/** What every thread knows: where connectors may reach. */
export type ThreadData = ConnectContext;

/** Control plane to host. Requests of one turn of the event loop travel as one `batch`. */
export type ToHost =
  | { readonly type: 'start'; readonly settings: HostSettings }
  | { readonly type: 'batch'; readonly requests: readonly HostRequest[] };

export interface RunRequest {
  readonly type: 'run';
  readonly id: number;
  readonly kind: CallKind;
  readonly input: unknown;
  readonly timeoutMs: number;
  /** Who asked; null: the server itself. */
  readonly caller: string | null;
}

export type HostRequest =
  | RunRequest
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'ping' };

/**
 * Host to control plane. `stuck`: a thread does not end, and only the end of the process ends it. `over_memory`: the process is over
 * its limit, and has to end.
 */
export type FromHost =
  | { readonly type: 'ready'; readonly rssBytes: number }
  | { readonly type: 'pong'; readonly rssBytes: number }
  | { readonly type: 'stuck' }
  | { readonly type: 'over_memory' }
  | { readonly type: 'batch'; readonly answers: readonly HostAnswer[] };

/** A piece of an answer that comes before its end; `index` counts from 0, and anew where the call has to run again. */
export interface AnswerPart {
  readonly type: 'part';
  readonly index: number;
  readonly text: string;
}

/**
 * `run_alone`: its thread was lost while it held several calls, so that each of them has to run alone. `text_needed`: see `DocumentText`.
 * `limitHit`: so that its thread is replaced.
 */
export type HostAnswer = { readonly id: number } & (AnswerPart | Outcome);
export type Outcome =
  | { readonly type: 'done'; readonly text: string; readonly parts: number }
  | { readonly type: 'failed'; readonly failure: Failure; readonly limitHit?: boolean }
  | { readonly type: 'run_alone' }
  | { readonly type: 'text_needed' };

/** What a thread starts with; `claims` is the memory of its host's `AttemptClaims`. */
export interface WorkerData {
  readonly settings: HostSettings;
  readonly claims: SharedArrayBuffer;
}

/** Host to thread. */
export interface ThreadCall {
  readonly id: number;
  /** The number of this attempt; see `AttemptClaims`. */
  readonly attempt: number;
  readonly kind: CallKind;
  readonly input: unknown;
}

/** Thread to host. */
export type ThreadPart = AnswerPart & { readonly id: number; readonly attempt: number };
export type ThreadAnswer = Exclude<Outcome, { readonly type: 'run_alone' }>;

/** Said to every thread of the process over the channel `CONTROL_CHANNEL`. */
export type ThreadControl = { readonly type: 'cancel'; readonly id: number } | { readonly type: 'close' };
export const CONTROL_CHANNEL = 'headgate-worker-control';
