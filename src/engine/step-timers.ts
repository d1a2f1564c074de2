import type { Step } from '../language/task/steps/steps.ts';
import { RunFault } from './run-fault.ts';

/** The `timeout` of steps: one attempt of a step may take that long, its commit included. */
export class StepTimers {
  readonly #expire: (fault: RunFault) => void;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(expire: (fault: RunFault) => void) {
    this.#expire = expire;
  }

  start(step: Step): void {
    if (step.timeoutMs === null) return;
    const { id, timeoutMs } = step;
    const message = `The step "${id}" did not finish within ${timeoutMs / 1000} s`;
    const fault = new RunFault('TIMEOUT', message, { reason: 'timeout', stepId: id, stepRetry: true });
    this.#timers.set(
      id,
      setTimeout(() => this.#expire(fault), timeoutMs),
    );
  }

  clear(step: Step): void {
    clearTimeout(this.#timers.get(step.id));
  }

  clearAll(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }
}
