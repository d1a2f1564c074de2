import type { Clock } from '../../base/clock.ts';
import type { StepMeter } from './step-meter.ts';

export interface ConnectorCounts {
  calls: number;
  durationMs: number;
  errors: number;
}

/** Counts what a run asks of each connector: calls (a read counts once for each batch), time waited, and errors. */
export class ConnectorTally {
  readonly counts = new Map<string, ConnectorCounts>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `meter` is that of the step that calls. */
  async time<T>(connector: string, meter: StepMeter, work: () => PromiseLike<T>): Promise<T> {
    const counts = this.#countsOf(connector);
    const from = this.#clock.now();
    counts.calls++;
    meter.callBegins();
    try {
      return await work();
    } catch (error) {
      counts.errors++;
      throw error;
    } finally {
      meter.callEnds();
      counts.durationMs += this.#clock.now() - from;
    }
  }

  #countsOf(connector: string): ConnectorCounts {
    const known = this.counts.get(connector);
    if (known !== undefined) return known;
    const fresh = { calls: 0, durationMs: 0, errors: 0 };
    this.counts.set(connector, fresh);
    return fresh;
  }
}
