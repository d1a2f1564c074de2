import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../base/errors.ts';
import type { ReplayRow } from '../base/run-report.ts';
import type { ControlPlaneClient, Fenced, Lease, Outcome } from '../protocol/control-plane.ts';
import type { Backoff } from './link/backoff.ts';
import { retryCall } from './link/retry-call.ts';
import type { Ask, AskAnswer } from './runner/runner-messages.ts';

export interface RunAsksOptions {
  readonly client: Pick<
    ControlPlaneClient,
    'checkpoint' | 'saveCheckpoint' | 'putDeadLetters' | 'replayRows' | 'parts'
  >;
  readonly lease: Lease;
  readonly backoff: Backoff;
  readonly signal: AbortSignal;
  /** The lease is not the run's newest any more. */
  readonly onStale: () => void;
}

/** Answers what a run asks of the control plane, tried until it is answered. Dead letters are numbered from 1, in order. */
export class RunAsks {
  readonly #options: RunAsksOptions;
  #letterSeq = 0;
  #letters: Promise<unknown> = Promise.resolve();

  constructor(options: RunAsksOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async answer(ask: Ask): Promise<AskAnswer> {
    try {
      return { ok: true, value: await this.#ask(ask) };
    } catch (error) {
      return { ok: false, message: messageOf(error) };
    }
  }

  #ask(ask: Ask): Promise<unknown> {
    switch (ask.kind) {
      case 'dead_letters': {
        // One after another, since their numbers must be dense at the other end.
        const sent = this.#letters.then(() => this.#putLetters(ask.items));
        this.#letters = sent.catch(() => undefined);
        return sent;
      }
      case 'replay_rows':
        return this.#replayRows(ask.after);
      case 'parts':
        return this.#fenced(({ client, lease }) => client.parts({ lease, ...ask.ask }));
      case 'checkpoint':
        return this.#fenced(({ client, lease }) => client.checkpoint(lease, ask.name));
      case 'save_checkpoint':
        return this.#saveCheckpoint(ask);
      default:
        return ask satisfies never;
    }
  }

  async #putLetters(items: Extract<Ask, { kind: 'dead_letters' }>['items']): Promise<void> {
    const { client, lease, backoff, signal } = this.#options;
    const first = this.#letterSeq + 1;
    const last = this.#letterSeq + items.length;
    const { outcome, acked_seq } = await retryCall(
      () => client.putDeadLetters({ lease, first_seq: first, items }),
      backoff,
      signal,
    );
    this.#check(outcome);
    if (acked_seq < last) throw new Error('The control plane did not store all failed items');
    this.#letterSeq = last;
  }

  async #replayRows(after: number): Promise<readonly ReplayRow[]> {
    return (await this.#fenced(({ client, lease }) => client.replayRows(lease, after))).rows;
  }

  async #saveCheckpoint(ask: Extract<Ask, { kind: 'save_checkpoint' }>) {
    const { name, value, expectedVersion } = ask;
    let triedBefore = false;
    const saved = await this.#fenced(({ client, lease }, tries) => {
      triedBefore = tries > 0;
      return client.saveCheckpoint({ lease, name, value, expected_version: expectedVersion });
    });
    if (saved.stored || !triedBefore || saved.version !== expectedVersion + 1) return saved;
    // The answer to an earlier try may have been lost: then this very value is already stored.
    const found = await this.#fenced(({ client, lease }) => client.checkpoint(lease, name));
    const own = found.version === saved.version && isDeepStrictEqual(found.value, plain(value));
    return own ? { version: saved.version, stored: true } : saved;
  }

  async #fenced<T>(call: (options: RunAsksOptions, tries: number) => Promise<Fenced<T>>): Promise<T> {
    const { backoff, signal } = this.#options;
    const answer = await retryCall((tries) => call(this.#options, tries), backoff, signal);
    if (answer.outcome === 'ACCEPTED') return answer.value;
    this.#check(answer.outcome);
    throw new Error(`The control plane answered "${answer.outcome}"`);
  }

  #check(outcome: Outcome): void {
    if (outcome === 'ACCEPTED' || outcome === 'ALREADY_DONE') return;
    this.#options.onStale();
    throw new Error('The run belongs to another executor now');
  }
}

/** The value as it comes back from the other end. */
function plain(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}
