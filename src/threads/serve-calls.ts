import { BroadcastChannel, parentPort, workerData } from 'node:worker_threads';
import { AppError } from '../base/errors.ts';
import { giveBackMemoryWhenIdle } from '../base/idle-memory.ts';
import { saveCompiledCode } from '../base/process/compile-cache.ts';
import { AttemptClaims } from './attempt-claims.ts';
import { beyondTheEngine, errorOf, failureOf, loggedOf, tooLarge } from './failure.ts';
import {
  CONTROL_CHANNEL,
  type HostSettings,
  type ThreadAnswer,
  type ThreadCall,
  type ThreadControl,
  type ThreadPart,
  type WorkerData,
} from './host-messages.ts';
import { type Answer, type CallKind, encodeAnswer, type Input } from './messages/calls.ts';
import { TextNeeded } from './messages/document-text.ts';

const COLLECT_PAUSE_MS = 5_000;
// Once in each thread, whatever entries it loads: an expression without end leaves a heap that nothing else makes smaller.
giveBackMemoryWhenIdle({ pauseMs: COLLECT_PAUSE_MS });

export type Handlers<K extends CallKind> = {
  readonly [Kind in K]: (input: Input<Kind>, signal: AbortSignal, emit: EmitPart) => Promise<Answer<Kind>>;
};

/** Sends a part of the answer ahead. The time limit of the call begins anew with each. */
export type EmitPart = (text: string) => void;

export interface ServeOptions {
  /** An error that handlers throw, as the caller's; anything else than an `AppError` is an `INTERNAL_ERROR`. */
  readonly toAppError?: (error: unknown) => AppError | null;
  /** Called once when the host ends in good order. */
  readonly onClose?: () => Promise<void>;
}

/** The settings of the host, as the thread sees them. */
export function hostSettings(): HostSettings {
  return (workerData as WorkerData).settings;
}

/**
 * Makes the default function of a thread entry: dispatches by kind, bounds the answer's size, turns it to JSON text, and
 * aborts a handler's signal when the host cancels its call. Resolves with null for a call that the host has taken back. Never
 * rejects.
 */
export function serveCalls<K extends CallKind>(
  handlers: Handlers<K>,
  options: ServeOptions = {},
): (call: ThreadCall) => Promise<ThreadAnswer | null> {
  const running = new Map<number, AbortController>();
  const channel = new BroadcastChannel(CONTROL_CHANNEL);
  channel.onmessage = (event: unknown) => {
    const control = (event as { data: ThreadControl }).data;
    if (control.type === 'cancel') running.get(control.id)?.abort(new Error('cancelled'));
    else void options.onClose?.();
  };
  channel.unref();
  const { outputCharsMax } = hostSettings();
  const claims = new AttemptClaims((workerData as WorkerData).claims);
  saveCompiledCode();
  // Where compiled code is kept was all that it held, and Node has read it: what users write finds an empty environment. A plain
  // object, since the YAML parser looks into it at each token, and looks into Node's own are a fifth of the time of a parse.
  process.env = {};
  return async (call) => {
    if (!claims.start(call.attempt)) return null;
    const abort = new AbortController();
    let parts = 0;
    const emit: EmitPart = (text) => {
      if (text.length > outputCharsMax) throw errorOf(tooLarge(outputCharsMax));
      const part: ThreadPart = { type: 'part', id: call.id, attempt: call.attempt, index: parts, text };
      parentPort?.postMessage(part);
      parts += 1;
    };
    running.set(call.id, abort);
    try {
      const handler = handlers[call.kind as K] as (
        ...args: [unknown, AbortSignal, EmitPart]
      ) => Promise<unknown>;
      const value = await handler(call.input, abort.signal, emit);
      const text = encodeAnswer(call.kind, value);
      if (text.length <= outputCharsMax) return { type: 'done', text, parts };
      return { type: 'failed', failure: tooLarge(outputCharsMax), limitHit: true };
    } catch (error) {
      return failed(error, options);
    } finally {
      running.delete(call.id);
    }
  };
}

function failed(error: unknown, options: ServeOptions): ThreadAnswer {
  if (error instanceof TextNeeded) return { type: 'text_needed' };
  if (error instanceof AppError) return { type: 'failed', failure: failureOf(error) };
  const known = options.toAppError?.(error);
  if (known) return { type: 'failed', failure: failureOf(known) };
  if (error instanceof RangeError) return { type: 'failed', failure: beyondTheEngine(), limitHit: true };
  const message = 'The call failed inside the worker';
  return { type: 'failed', failure: { code: 'INTERNAL_ERROR', message, logged: loggedOf(error) } };
}
