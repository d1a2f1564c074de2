import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { ServerMeter } from '../../base/server-meter.ts';
import { FailureLog } from '../../metering/failure-log.ts';
import type { Store } from '../../store/store.ts';
import { LOST_SHOWN_MS } from './executor.ts';
import { selectLostExecutors, updateLostGone } from './executor-store.ts';

export interface LostExecutorsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly meter: ServerMeter;
}

/** Says and counts which executors are lost, each time once, and lets them go after `LOST_SHOWN_MS`. */
export class LostExecutors {
  readonly #deps: LostExecutorsDeps;
  readonly #log: FailureLog;
  #known: ReadonlySet<number> = new Set();

  constructor(deps: LostExecutorsDeps) {
    this.#deps = deps;
    this.#log = new FailureLog({ ...deps, message: 'executors were lost' });
  }

  /** One look at `now`, the store's time; an executor is lost after `awayMs` of silence. */
  async look(now: number, awayMs: number): Promise<void> {
    const { store, meter } = this.#deps;
    const lost = await selectLostExecutors(store.read, now - awayMs);
    for (const { id, name, last_seen_at } of lost) {
      if (this.#known.has(id)) continue;
      const seconds = Math.round((now - last_seen_at) / 1_000);
      this.#log.add(`no heartbeat for ${seconds} seconds`, { executor: name, executor_id: id });
      meter.count('executors_lost');
    }
    this.#known = new Set(lost.map(({ id }) => id));
    if (lost.some(({ last_seen_at }) => last_seen_at < now - LOST_SHOWN_MS))
      await store.write((tx) => updateLostGone(tx, now - LOST_SHOWN_MS));
  }
}
