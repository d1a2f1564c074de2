import { sha256 } from '../../base/ids.ts';
import { canonicalJson, isRecord } from '../../base/json.ts';
import type { ExtractStep, PartitionSpec } from '../../language/task/steps/extract-step.ts';
import { RunFault } from '../run-fault.ts';
import { type RunState, runScope } from '../run-state.ts';
import { untilAborted } from '../until-aborted.ts';
import { boundsBetween, rangeParts, type Span, valueParts } from './divide.ts';
import type { Part } from './part.ts';
import { spanOf } from './part-source.ts';

const DIGEST_CHARS = 16;

/** How a run divides an extract. Saved before the first part is read, so that its later attempts divide it in the same way. */
export interface SavedPlan {
  /** Of the run. */
  readonly parts_of: string;
  /** Of what was divided, and how: the arguments, and the partition. */
  readonly of: string;
  readonly type: Span['type'];
  readonly bounds: readonly string[];
  /** When the load of the parts began, in milliseconds since 1970. */
  readonly loaded_at: number;
}

export interface PartPlan {
  readonly parts: readonly Part[];
  /** When the load of all of them began, in milliseconds since 1970. */
  readonly loadedAt: number;
  /** Of the plan: two plans with the same one have the same parts. */
  readonly digest: string;
  /** An earlier attempt has made it, and may have staged parts. */
  readonly isEarlier: boolean;
  readonly saved: SavedPlan;
}

/** The plan of the run: the saved one, or a new one. `fresh` is called before a new one is saved. */
export async function planParts(
  run: RunState,
  step: ExtractStep,
  partsId: string,
  fresh: () => Promise<void>,
): Promise<PartPlan> {
  const spec = step.partition as PartitionSpec;
  const args = await step.args.render(runScope(run));
  const { by, parts, values } = spec;
  const of = digestOf({ args, by, parts, values });
  const name = `${step.id}.parts`;
  const { value, version } = await ask(run, step, run.ports.checkpoint(name));
  if (isSaved(value) && value.parts_of === partsId && value.of === of)
    return { ...planOf(spec, value), saved: value, isEarlier: true };
  await fresh();
  const span = values === null ? await spanOf(run, step, by, args) : null;
  const saved: SavedPlan = {
    parts_of: partsId,
    of,
    type: span?.type ?? 'integer',
    bounds: span === null ? [] : boundsBetween(span, parts ?? 1),
    loaded_at: run.context.clock.now(),
  };
  // Where another run of the task has saved its own in between, a later attempt of this one begins anew.
  await ask(run, step, run.ports.saveCheckpoint(name, saved, version));
  return { ...planOf(spec, saved), saved, isEarlier: false };
}

/** The parts of a plan that was saved. */
export function planOf(
  { by, values }: PartitionSpec,
  saved: SavedPlan,
): Pick<PartPlan, 'parts' | 'digest' | 'loadedAt'> {
  const parts = values === null ? rangeParts(by, saved.type, saved.bounds) : valueParts(by, values);
  return { parts, digest: digestOf(saved), loadedAt: saved.loaded_at };
}

function digestOf(value: unknown): string {
  return sha256(canonicalJson(value)).slice(0, DIGEST_CHARS);
}

function isSaved(value: unknown): value is SavedPlan {
  return (
    isRecord(value) &&
    typeof value['of'] === 'string' &&
    typeof value['loaded_at'] === 'number' &&
    Array.isArray(value['bounds'])
  );
}

async function ask<T>(run: RunState, step: ExtractStep, asked: Promise<T>): Promise<T> {
  try {
    return await untilAborted(asked, run.signal);
  } catch (cause) {
    if (cause instanceof RunFault) throw cause;
    throw new RunFault('REPORT_FAILED', 'The partition plan could not be read or written', {
      reason: 'task_error',
      stepId: step.id,
      runRetry: true,
      cause,
    });
  }
}
