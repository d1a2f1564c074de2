import type { RunState } from '../run-state.ts';
import { reportGauges } from './report-metrics.ts';

export const GAUGES_EVERY_MS = 10_000;
const GAUGES_EVERY_MS_MAX = 300_000;
/** A run is told of some sixty times for each doubling of its age, so that a long one does not tell without end. */
const SHARE_OF_AGE = 1 / 60;

/** Tells gauges of a run from time to time; returns what ends it. */
export function startGauges(run: RunState): () => void {
  const { clock, gaugesEveryMs = GAUGES_EVERY_MS } = run.context;
  const startedAt = clock.now();
  let timer: NodeJS.Timeout;
  const wait = () => {
    const age = Math.max(0, clock.now() - startedAt);
    const ms = Math.max(gaugesEveryMs, Math.min(age * SHARE_OF_AGE, GAUGES_EVERY_MS_MAX));
    timer = setTimeout(tell, ms);
    timer.unref();
  };
  const tell = () => {
    reportGauges(run);
    wait();
  };
  wait();
  return () => clearTimeout(timer);
}
