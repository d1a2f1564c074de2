import type { ExpressionLimits } from '../expression.ts';
import { ExpressionFailure } from '../expression-failure.ts';

/** Steps between two looks at the clock; below it an evaluation never reads the clock at all. */
const stepsPerLook = 4_096;

/** Bounds the loops of one compiled expression. Loops are over data alone, so short evaluations cost a subtraction per row. */
export class Meter {
  readonly #timeoutMs: number;
  readonly #sequenceMax: number;
  #left = stepsPerLook;
  #deadline = 0;

  constructor(limits: ExpressionLimits) {
    this.#timeoutMs = limits.timeoutMs;
    this.#sequenceMax = limits.sequenceMax;
  }

  /** Called at the start of every evaluation. */
  start(): void {
    this.#left = stepsPerLook;
    this.#deadline = 0;
  }

  /** Counts one step of a loop. Throws `D1012` when the time is up. */
  step(): void {
    this.#left -= 1;
    if (this.#left <= 0) this.#look();
  }

  /** Throws `D2015` for a sequence that is too long. */
  sequence(length: number): void {
    if (length > this.#sequenceMax) throw new ExpressionFailure('D2015', length);
  }

  #look(): void {
    this.#left = stepsPerLook;
    const now = performance.now();
    if (this.#deadline === 0) this.#deadline = now + this.#timeoutMs;
    else if (now > this.#deadline) throw new ExpressionFailure('D1012');
  }
}
