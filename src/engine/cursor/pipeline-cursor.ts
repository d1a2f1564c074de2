import type { CursorSpec, ExtractStep } from '../../language/task/steps/extract-step.ts';
import type { LoadStep } from '../../language/task/steps/load-step.ts';
import type { Flow, Stage } from '../pipeline/flow.ts';
import { type RunState, runScope } from '../run-state.ts';
import { loadIdOf, type OpenLoad, wasLoaded } from '../steps/load.ts';
import { CursorCheckpoint, type PendingCursor } from './cursor-checkpoint.ts';
import { withLookback } from './cursor-value.ts';

/** The cursor of one pipeline attempt: where it starts, and how it moves on when the loads are in. */
export interface PipelineCursor {
  readonly checkpoint: CursorCheckpoint;
  readonly spec: CursorSpec;
  /** `state.cursor` of the extract: with its lookback, or the rendered `initial`. */
  start(): Promise<unknown>;
  /** Finishes what an earlier run left between its commit and its save; before the loads open. */
  settle(loads: readonly Stage<LoadStep>[], flow: Flow): Promise<void>;
  /** Before the loads commit. */
  prepare(loads: readonly OpenLoad[], greatest: unknown): Promise<void>;
  /** After all of them have. */
  advance(loads: readonly OpenLoad[], greatest: unknown): Promise<void>;
}

/** null where the extract has no cursor. */
export function createPipelineCursor(run: RunState, step: ExtractStep): PipelineCursor | null {
  const { cursor: spec } = step;
  if (spec === null) return null;
  const checkpoint = new CursorCheckpoint(run, step);
  let pending: PendingCursor | null = null;
  return {
    checkpoint,
    spec,
    start: async () => {
      if (checkpoint.saved.value !== null) return withLookback(spec, checkpoint.saved.value);
      return spec.initial === null ? null : ((await spec.initial.render(runScope(run))) ?? null);
    },
    settle: async (loads, flow) => {
      // Only appends need it: the other modes give the same target when rows come twice.
      if (!loads.some((load) => load.step.mode === 'append')) return;
      pending = await checkpoint.readPending();
      if (pending === null || !(await allLoaded(pending, loads, flow))) return;
      run.ports.log(
        'info',
        step.id,
        'An earlier run loaded its rows but ended before it could move the cursor: moved now',
      );
      await checkpoint.advance(pending.cursor);
    },
    prepare: async (loads, greatest) => {
      const appends = loads.filter((load) => load.stage.step.mode === 'append' && load.alreadyDone === null);
      if (greatest === null || appends.length === 0) return;
      const all = loads.filter((load) => load.stage.step.mode === 'append');
      await checkpoint.savePending({
        cursor: pending !== null && all.length > appends.length ? pending.cursor : greatest,
        loads: all.map(({ stage, object }) => ({
          step: stage.step.id,
          object,
          load_id: loadIdOf(run.input.run.id, stage.step.id),
        })),
      });
    },
    advance: async (loads, greatest) => {
      // A load of an earlier attempt has the rows up to that attempt's cursor only, so it may not move further.
      const earlier = loads.some((load) => load.alreadyDone !== null);
      const value = earlier ? (pending?.cursor ?? null) : greatest;
      if (value !== null) await checkpoint.advance(value);
    },
  };
}

async function allLoaded(
  pending: PendingCursor,
  loads: readonly Stage<LoadStep>[],
  flow: Flow,
): Promise<boolean> {
  for (const { step, object, load_id: loadId } of pending.loads) {
    const stage = loads.find((load) => load.step.id === step && load.step.mode === 'append');
    if (stage === undefined || !(await wasLoaded(stage, flow, object, loadId))) return false;
  }
  return pending.loads.length > 0;
}
