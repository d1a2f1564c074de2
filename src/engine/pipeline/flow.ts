import type { Batch } from '../../drivers/driver.ts';
import type { Scope } from '../../language/expression/expression.ts';
import type { CursorRange } from '../cursor/cursor-range.ts';
import type { CursorTracker } from '../cursor/cursor-tracker.ts';
import type { StreamStep } from '../plan/group-steps.ts';
import type { StepState } from '../report/step-state.ts';
import type { RunState } from '../run-state.ts';
import type { BatchQueue } from './batch-queue.ts';
import type { DeadLetterBuffer } from './dead-letter-buffer.ts';
import type { ItemErrors } from './item-errors.ts';

/** One attempt of a pipeline, as its stages see it. */
export interface Flow {
  readonly run: RunState;
  /** Aborts with a `RunFault` when any stage fails, or the run ends early. */
  readonly signal: AbortSignal;
  /** The scope of the pipeline's start. */
  readonly scope: Scope;
  readonly letters: DeadLetterBuffer;
  /** Where its loads, and those around, write until they end; the id of each. */
  readonly locked: Map<string, string>;
  /** null where no extract has a cursor. */
  readonly cursor: {
    readonly stepId: string;
    readonly range: CursorRange;
    readonly tracker: CursorTracker;
  } | null;
}

/** One step of a pipeline attempt, with its place between the others. */
export interface Stage<S extends StreamStep = StreamStep> {
  readonly step: S;
  readonly state: StepState;
  readonly errors: ItemErrors;
  /** null for the extract. */
  readonly input: BatchQueue | null;
  /** Of a query: one for each of its tables, by name; of joins, by the place of each among the operations. */
  readonly tables: ReadonlyMap<string, BatchQueue>;
  /** One for each step that reads from this one. */
  readonly outputs: readonly BatchQueue[];
  /** A query reads it, directly or not: where no rows come, it still needs their columns. */
  readonly feedsQuery: boolean;
}

/** All queues that a stage takes from. */
export function queuesOf({ input, tables }: Stage): readonly BatchQueue[] {
  return input === null ? [...tables.values()] : [input, ...tables.values()];
}

/** Hands a batch to every consumer, and waits until all have room. */
export async function emit(stage: Stage, batch: Batch): Promise<void> {
  for (const output of stage.outputs) {
    const room = output.push(batch);
    if (room !== undefined) await room;
  }
}
