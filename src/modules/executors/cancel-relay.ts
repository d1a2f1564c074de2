import { EventEmitter } from 'node:events';
import type { Cancel } from '../../protocol/control-plane.ts';

export type SendCancel = (executorId: number, cancel: Cancel) => void;

/**
 * Passes cancel requests to the executors' sessions of this control plane. A cancel for an executor that is connected elsewhere,
 * or nowhere, is dropped here: the reply to every heartbeat repeats it.
 */
export class CancelRelay {
  readonly #sessions = new EventEmitter().setMaxListeners(0);

  readonly send: SendCancel = (executorId, cancel) => {
    this.#sessions.emit(String(executorId), cancel);
  };

  /** Calls the listener for each cancel of this executor's runs; returns what ends that. */
  listen(executorId: number, listener: (cancel: Cancel) => void): () => void {
    const event = String(executorId);
    this.#sessions.on(event, listener);
    return () => this.#sessions.off(event, listener);
  }
}
