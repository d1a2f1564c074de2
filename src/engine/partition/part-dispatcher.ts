import { sleep } from '../../base/clock.ts';
import type { EndedPart, PartsAnswer, PartsAsk, PartsOffer } from '../../base/run-parts.ts';
import { RunFault } from '../run-fault.ts';
import { untilAborted } from '../until-aborted.ts';
import type { Part } from './part.ts';

/** First and longest time between two questions while others work on what is left. */
const LOOK_MS = 100;
const LOOK_MS_MAX = 1_000;

export type TakenPart = Part & { readonly take: number };

/** Gives out the parts of a plan, each to one worker at a time. */
export interface PartDispatcher {
  /** The next part; null once there is none left for this run. */
  take(): Promise<TakenPart | null>;
  /** A part that was taken is staged, or has failed. */
  end(ended: EndedPart): Promise<void>;
  /** Once nothing is left: the parts that other runs have staged. */
  readonly others: readonly EndedPart[];
}

/** All parts are this run's, and nobody keeps them for it. */
export function ownDispatcher(parts: readonly Part[]): PartDispatcher {
  const left = [...parts];
  return {
    others: [],
    async take() {
      const part = left.shift();
      return part === undefined ? null : { ...part, take: 1 };
    },
    end: async () => undefined,
  };
}

export interface SharedDispatcherOptions {
  readonly parts: readonly Part[];
  readonly stepId: string;
  readonly ask: (ask: PartsAsk) => Promise<PartsAnswer>;
  readonly signal: AbortSignal;
  /** Waits for what others have taken: it may come back. */
  readonly waits: boolean;
}

/**
 * Parts that the control plane gives out, to this run and to those that help it. One question at a time, so that it always says all that
 * the run holds. Open: there may be a part. Closed: nothing is left to do.
 */
export class SharedDispatcher implements PartDispatcher {
  readonly #options: SharedDispatcherOptions;
  readonly #holding = new Set<number>();
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #left: number;
  /** Until then no worker asks: others have what is left. */
  #pause: Promise<unknown> | null = null;
  #pauseMs = LOOK_MS;
  others: readonly EndedPart[] = [];

  constructor(options: SharedDispatcherOptions) {
    this.#options = options;
    this.#left = options.parts.length;
  }

  /** Nothing is left to do, or the run has ended. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Before any part is taken, by the run that divides. */
  async offer(offer: PartsOffer): Promise<void> {
    await this.#ask({ offer });
  }

  async take(): Promise<TakenPart | null> {
    for (;;) {
      await this.#pause;
      if (this.#isClosed) return null;
      const answer = await this.#ask({ wants: true });
      if (answer === null) continue;
      const part = this.#options.parts.find(({ number }) => number === answer.part?.number);
      if (part !== undefined) return { ...part, take: answer.part?.take ?? 1 };
      if (!this.#options.waits && !this.#isClosed) return null;
    }
  }

  async end(ended: EndedPart): Promise<void> {
    await this.#ask({ ended });
  }

  /** Throws where the run has lost its parts before all of them were staged. */
  requireAll(): void {
    if (this.#left === 0) return;
    throw new RunFault('PARTS_LOST', 'The run lost its parts before all of them were staged', {
      reason: 'task_error',
      stepId: this.#options.stepId,
      runRetry: true,
    });
  }

  /** null where it was not asked, since nothing is to be had just now. */
  #ask(own: Partial<PartsAsk>): Promise<PartsAnswer | null> {
    const asked = this.#turn.then(() => this.#askNow(own));
    this.#turn = asked.catch(() => undefined);
    return asked;
  }

  async #askNow(own: Partial<PartsAsk>): Promise<PartsAnswer | null> {
    const { stepId, ask, signal } = this.#options;
    const { offer = null, ended = null, wants = false } = own;
    if (wants && (this.#pause !== null || this.#isClosed)) return null;
    if (ended !== null) this.#holding.delete(ended.number);
    const question = { step_id: stepId, holding: [...this.#holding], offer, ended, wants };
    const answer = await untilAborted(reported(ask(question), stepId), signal);
    const { part, is_closed, left, others } = answer;
    this.#isClosed = is_closed;
    this.#left = left;
    if (others.length > 0) this.others = others;
    if (part !== null) {
      this.#holding.add(part.number);
      this.#pauseMs = LOOK_MS;
    } else if (wants && !is_closed) this.#wait();
    return answer;
  }

  #wait(): void {
    this.#pause = sleep(this.#pauseMs, this.#options.signal).then(() => {
      this.#pause = null;
    });
    this.#pauseMs = Math.min(this.#pauseMs * 2, LOOK_MS_MAX);
  }
}

async function reported<T>(asked: Promise<T>, stepId: string): Promise<T> {
  try {
    return await asked;
  } catch (cause) {
    throw new RunFault('REPORT_FAILED', 'Requesting parts from the control plane failed', {
      reason: 'task_error',
      stepId,
      runRetry: true,
      cause,
    });
  }
}
