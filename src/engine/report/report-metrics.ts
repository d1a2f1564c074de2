import type { RunOutcome } from '../../base/run-report.ts';
import { MEASUREMENTS, type Measurement } from '../../metering/measurements.ts';
import type { RunState } from '../run-state.ts';

type Tell = (name: Measurement, value: number, tags?: Readonly<Record<string, string>>) => void;

/** Tells what the run has measured, once, at its end; `metering/measurements.ts` has the table of it. */
export function reportMetrics(run: RunState, outcome: RunOutcome, startedAt: number): void {
  const tell = teller(run);
  tell('task.duration_ms', Math.max(0, run.context.clock.now() - startedAt), { status: outcome.status });
  tell('task.items_out', outcome.rows_out);
  for (const step of outcome.steps) {
    if (step.attempts === 0) continue;
    const tags = { step: step.step_id, kind: step.kind };
    tell('step.duration_ms', Math.max(0, step.ended_at - step.started_at), { ...tags, status: step.status });
    tellItems(run, step.step_id, tags, tell);
    tell('step.rows_in', step.rows_in, tags);
    tell('step.rows_out', step.rows_out, tags);
    tell('step.errors', step.rows_failed + (step.status === 'error' ? 1 : 0), tags);
    tell('step.skipped', step.rows_skipped, tags);
  }
  for (const [connector, counts] of run.tally.counts) {
    const tags = { connector, type: run.plan.task.connectors[connector]?.type ?? '' };
    tell('connector.calls', counts.calls, tags);
    tell('connector.duration_ms', counts.durationMs, tags);
    tell('connector.errors', counts.errors, tags);
  }
}

function tellItems(run: RunState, stepId: string, tags: Record<string, string>, tell: Tell): void {
  const meter = run.states.get(stepId)?.meter;
  if (meter === undefined) return;
  const perItem = meter.items.summary();
  if (perItem !== null) {
    tell('step.item_duration_ms', perItem.mean, tags);
    tell('step.item_duration_p50_ms', perItem.p50, tags);
    tell('step.item_duration_p95_ms', perItem.p95, tags);
    tell('step.item_duration_max_ms', perItem.max, tags);
  }
  tell('step.in_flight_max', meter.inFlightMax, tags);
}

/** Tells how the steps that are running stand: gauges alone, which nobody adds up. */
export function reportGauges(run: RunState): void {
  const tell = teller(run);
  for (const [id, { step, status, figures, meter }] of run.states) {
    if (status !== 'running') continue;
    const tags = { step: id, kind: step.kind };
    tell('step.in_flight', meter.inFlight, tags);
    tell('step.rows_in_so_far', figures.rows_in, tags);
    tell('step.rows_out_so_far', figures.rows_out, tags);
  }
}

function teller(run: RunState): Tell {
  const task = run.plan.task.name;
  const at = run.context.clock.now();
  return (name, value, tags = {}) =>
    run.ports.metric({ name, kind: MEASUREMENTS[name].kind, value, tags: { task, ...tags }, at });
}

export const GAUGES_EVERY_MS = 10_000;
const GAUGES_EVERY_MS_MAX = 300_000;
/** A run reports about sixty times per doubling of its age, so that a long one does not report without end. */
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
