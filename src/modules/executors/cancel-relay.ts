import { EventEmitter } from 'node:events';
import type { Cancel } from '../../protocol/control-plane.ts';

export type SendCancel = (executorId: number, cancel: Cancel) => void;

/**
 * Passes cancel requests to the executor sessions of this control plane. A cancel for an executor connected elsewhere, or not
 * at all, is dropped here: the reply to every heartbeat repeats it.
 */
export class CancelRelay {
  readonly #sessions = new EventEmitter().setMaxListeners(0);

  readonly send: SendCancel = (executorId, cancel) => {
    this.#sessions.emit(String(executorId), cancel);
  };

  /** Calls the listener for each cancel of this executor's runs; returns the unsubscribe. */
  listen(executorId: number, listener: (cancel: Cancel) => void): () => void {
    const event = String(executorId);
    this.#sessions.on(event, listener);
    return () => this.#sessions.off(event, listener);
  }
}
