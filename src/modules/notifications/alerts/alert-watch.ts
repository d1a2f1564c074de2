import { type Clock, sleep } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Logger } from '../../../base/logger.ts';
import { selectNow } from '../../../store/select-now.ts';
import type { Store } from '../../../store/store.ts';
import { mayWant, type Subscription, wants } from '../../webhooks/webhook.ts';
import type { WebhookOutbox } from '../../webhooks/webhook-outbox.ts';
import { selectKnown } from '../../webhooks/webhook-store.ts';
import { type AlertState, readAlertStates, STATE_KINDS, type StateKind } from './alert-states.ts';
import { type AlertKey, closeAlert, openAlert, selectOpenAlerts } from './open-alert-store.ts';

const LOOK_EVERY_MS = 15_000;

export interface AlertWatchDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly emitTo: WebhookOutbox['emitTo'];
  /** Wakes the deliverers, after the commit. */
  readonly wake: () => void;
  /** An executor is lost after this silence. After a start, nothing is judged for as long: executors could not reach the server. */
  readonly awayMs: number;
}

interface Due {
  readonly key: AlertKey;
  readonly receiver: Subscription;
  readonly state: AlertState;
}

/**
 * Tells receivers of states: jobs that are late, dead letters over a bound, executors that are lost. Each receiver is told once,
 * until the state ends; any number of control planes may look. Modes: idle → looping (`start`) → stopped (`stop`).
 */
export class AlertWatch {
  readonly #deps: AlertWatchDeps;
  readonly #stop = new AbortController();
  #done: Promise<void> = Promise.resolve();

  constructor(deps: AlertWatchDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#done = this.#loop();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #loop(): Promise<void> {
    const { clock, logger, awayMs } = this.#deps;
    let lookedAt = clock.now();
    let quietUntil = lookedAt + awayMs;
    while (!this.#stop.signal.aborted) {
      await sleep(LOOK_EVERY_MS, this.#stop.signal);
      if (this.#stop.signal.aborted) return;
      const now = clock.now();
      // This process was suspended, or the store unavailable.
      if (now - lookedAt > awayMs) quietUntil = now + awayMs;
      try {
        if (now >= quietUntil) await this.look();
        lookedAt = clock.now();
      } catch (error) {
        logger.warn({ err: error }, `the search for alerts failed, retrying: ${messageOf(error)}`);
      }
    }
  }

  /** One look. Returns the number of messages that were put into the outbox. */
  async look(): Promise<number> {
    const { store, emitTo, wake } = this.#deps;
    const { read, dialect } = store;
    const { subscriptions } = await selectKnown(read);
    const receivers = receiversOf(subscriptions);
    const open = new Map((await selectOpenAlerts(read)).map((row) => [keyText(row), row]));
    if (Object.keys(receivers).length === 0 && open.size === 0) return 0;
    const now = await selectNow(read, dialect);
    const states = await readAlertStates(read, receivers, { now, awayMs: this.#deps.awayMs });
    const due = states.flatMap((state) => {
      const { kind, subjectId, job, concerns } = state;
      const told = subscriptions.filter((receiver) => wants(receiver, kind, job) && concerns(receiver));
      return told.map((receiver): Due => {
        const key = { webhook_id: receiver.id, event: kind, subject_id: subjectId };
        return { key, receiver, state };
      });
    });
    const opened = due.filter(({ key }) => !open.has(keyText(key)));
    for (const { key } of due) open.delete(keyText(key));
    if (opened.length === 0 && open.size === 0) return 0;
    const sent = await store.write(async (tx) => {
      const at = await selectNow(tx, dialect);
      for (const ended of open.values()) await closeAlert(tx, ended);
      let told = 0;
      for (const { key, receiver, state } of opened) {
        if (!(await openAlert(tx, key, at))) continue;
        await emitTo(tx, [receiver], await state.eventFor(tx, receiver), at);
        told += 1;
      }
      return told;
    });
    if (sent > 0) wake();
    return sent;
  }
}

/** Those that want each kind of event, of any job; kinds that nobody wants are left out. */
function receiversOf(subscriptions: readonly Subscription[]) {
  const receivers: Partial<Record<StateKind, readonly Subscription[]>> = {};
  for (const kind of STATE_KINDS) {
    const wanting = subscriptions.filter((one) =>
      mayWant({ ...one, job_ids_json: null, template_ids_json: null, labels_json: null }, kind, null),
    );
    if (wanting.length > 0) receivers[kind] = wanting;
  }
  return receivers;
}

function keyText({ webhook_id, event, subject_id }: AlertKey): string {
  return `${webhook_id} ${event} ${subject_id}`;
}
