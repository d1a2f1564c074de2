import { brokeItsProcess, tooMuchMemory } from './failure.ts';
import { HostChild, type HostChildOptions } from './host-child.ts';
import { type HostAnswer, processMbMaxOf } from './host-messages.ts';
import type { PendingCall } from './pending-call.ts';

const IDLE_MS_MAX = 30_000;
const STARTS_FAILED_MAX = 3;

/**
 * A worker host of its own for calls whose thread or process was lost while others ran beside them. It runs one call at a
 * time, so that whoever breaks it is the culprit. Started when it is first needed, ended when idle.
 */
export class IsolatedHost {
  readonly #options: HostChildOptions;
  readonly #onFree: (call: PendingCall) => void;
  #child: HostChild | null = null;
  #childReady = false;
  #call: PendingCall | null = null;
  #startsFailed = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: HostChildOptions, onFree: (call: PendingCall) => void) {
    const processMbMax = processMbMaxOf(1, options.settings.heapMbMax);
    this.#options = {
      ...options,
      settings: { ...options.settings, threads: 1, callsPerThread: 1, processMbMax },
    };
    this.#onFree = onFree;
  }

  get busy(): boolean {
    return this.#call !== null;
  }

  /** Whose call it runs; null where that is the server's own, or there is none. */
  get caller(): string | null {
    return this.#call?.caller ?? null;
  }

  run(call: PendingCall): void {
    clearTimeout(this.#idle);
    this.#call = call;
    this.#startsFailed = 0;
    this.#child ??= this.#start();
    this.#child.send(call.request);
  }

  cancel(id: number): void {
    if (this.#call?.id === id) this.#child?.send({ type: 'cancel', id });
  }

  async stop(graceMs: number): Promise<void> {
    clearTimeout(this.#idle);
    this.#call?.fail({ code: 'NOT_READY', message: 'The server is stopping' });
    this.#call = null;
    await this.#child?.stop(graceMs);
  }

  #start(): HostChild {
    this.#childReady = false;
    const child: HostChild = new HostChild(this.#options, {
      ready: () => {
        if (child === this.#child) this.#childReady = true;
      },
      answers: (answers) => {
        if (child === this.#child) for (const answer of answers) this.#onAnswer(answer);
      },
      ended: ({ overMemory }) => {
        if (child === this.#child) this.#onEnded(overMemory);
      },
    });
    return child;
  }

  #onAnswer(answer: HostAnswer): void {
    const call = this.#call;
    if (call?.id !== answer.id) return;
    if (answer.type === 'part') {
      call.part(answer);
      return;
    }
    if (answer.type === 'done') call.done(answer.text);
    else call.fail(answer.type === 'failed' ? answer.failure : brokeItsProcess());
    // A thread that hit a limit may hang in a native call and end the host later, while an innocent call runs.
    if (answer.type !== 'done') this.#discard();
    this.#free(call);
  }

  #onEnded(overMemory: boolean): void {
    this.#child = null;
    const call = this.#call;
    if (call === null) return;
    this.#startsFailed += 1;
    if (this.#childReady) {
      call.fail(overMemory ? tooMuchMemory(this.#options.settings.processMbMax) : brokeItsProcess());
      this.#free(call);
    } else if (this.#startsFailed < STARTS_FAILED_MAX) {
      this.#child = this.#start();
      this.#child.send(call.request);
    } else {
      call.fail({ code: 'NOT_READY', message: 'The worker host does not start', retryAfterSeconds: 5 });
      this.#free(call);
    }
  }

  #discard(): void {
    this.#child?.kill();
    this.#child = null;
  }

  #free(call: PendingCall): void {
    this.#call = null;
    this.#idle = setTimeout(() => {
      void this.#child?.stop(1_000);
      this.#child = null;
    }, IDLE_MS_MAX);
    this.#idle.unref();
    this.#onFree(call);
  }
}
