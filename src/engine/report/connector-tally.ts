import type { Clock } from '../../base/clock.ts';
import type { ConnectorUse } from '../../base/connectors/connector-use.ts';
import { UseCount } from '../../drivers/uses/use-count.ts';
import type { StepMeter } from './step-meter.ts';

interface ConnectorCounts {
  calls: number;
  durationMs: number;
  errors: number;
  readonly use: UseCount;
}

interface CallOptions {
  /** The call opens a connection: drivers may do that without the other side. */
  readonly opens?: boolean;
}

/** Counts what a run asks of each connector: calls (a read counts once for each batch), time waited, and errors. */
export class ConnectorTally {
  readonly counts: Map<string, ConnectorCounts>;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #nameOf: (local: string) => string;

  constructor(
    clock: Clock,
    signal: AbortSignal,
    counts = new Map<string, ConnectorCounts>(),
    nameOf = (local: string) => local,
  ) {
    this.counts = counts;
    this.#clock = clock;
    this.#signal = signal;
    this.#nameOf = nameOf;
  }

  /** The same counts for a task that has these connectors under names of its own. */
  as(names: Readonly<Record<string, string>>): ConnectorTally {
    return new ConnectorTally(this.#clock, this.#signal, this.counts, (local) =>
      this.#nameOf(names[local] ?? local),
    );
  }

  /** `meter` is that of the step that calls. */
  async time<T>(
    connector: string,
    meter: StepMeter,
    work: () => PromiseLike<T>,
    { opens = false }: CallOptions = {},
  ): Promise<T> {
    const counts = this.#countsOf(connector);
    const from = performance.now();
    counts.calls++;
    meter.callBegins();
    try {
      const result = await work();
      counts.use.succeeded(this.#clock.now(), performance.now() - from, !opens);
      return result;
    } catch (error) {
      counts.errors++;
      // Whatever a run that has ended gets from a driver, it has brought about itself.
      const cause = this.#signal.aborted ? null : error;
      counts.use.failed(this.#clock.now(), performance.now() - from, cause);
      throw error;
    } finally {
      meter.callEnds();
      counts.durationMs += Math.round(performance.now() - from);
    }
  }

  /** Of saved connectors, by the id that each has. */
  uses(connectors: Readonly<Record<string, { readonly id?: number }>>): ConnectorUse[] {
    return [...this.counts].flatMap(([local, { use }]) => {
      const id = connectors[local]?.id ?? 0;
      return id > 0 ? [use.recordOf(id)] : [];
    });
  }

  #countsOf(local: string): ConnectorCounts {
    const connector = this.#nameOf(local);
    const known = this.counts.get(connector);
    if (known !== undefined) return known;
    const fresh = { calls: 0, durationMs: 0, errors: 0, use: new UseCount() };
    this.counts.set(connector, fresh);
    return fresh;
  }
}
