import { sha256 } from '../../base/ids.ts';
import { canonicalJson, isRecord } from '../../base/json.ts';
import type { ExtractStep, PartitionSpec } from '../../language/task/steps/extract-step.ts';
import { RunFault } from '../run-fault.ts';
import { type RunState, runScope } from '../run-state.ts';
import { untilAborted } from '../until-aborted.ts';
import { boundsBetween, rangeParts, type Span, valueParts } from './divide.ts';
import { fileParts, packFiles, unpackFiles } from './file-shares.ts';
import type { OpenPart, Part } from './part.ts';
import { filesOf, spanOf } from './part-source.ts';
import type { PartsCursor } from './parts-cursor.ts';

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
  /** The files that are shared out, packed; absent where a column divides the rows. */
  readonly files?: string;
  /** `state.cursor` as the expressions of the parts read it; absent without a cursor. */
  readonly cursor?: unknown;
}

export interface PartPlan {
  readonly parts: readonly Part[];
  /** When the load of all of them began, in milliseconds since 1970. */
  readonly loadedAt: number;
  /** Of its expressions, besides those of the run. */
  readonly state: OpenPart['state'];
  /** Of the plan: two plans with the same one have the same parts. */
  readonly digest: string;
  /** An earlier attempt has made it, and may have staged parts. */
  readonly isEarlier: boolean;
  readonly saved: SavedPlan;
}

interface Planning {
  /** Called before a new plan is saved. */
  readonly fresh: () => Promise<void>;
  readonly cursor: PartsCursor | null;
}

/** The plan of the run: the saved one, or a new one. */
export async function planParts(
  run: RunState,
  step: ExtractStep,
  partsId: string,
  { fresh, cursor }: Planning,
): Promise<PartPlan> {
  const spec = step.partition as PartitionSpec;
  const scope = cursor === null ? runScope(run) : runScope(run, { cursor: cursor.range.from });
  const rendered = await step.args.render(scope);
  const args = cursor?.argsOf(rendered) ?? rendered;
  const { by, parts, values, files } = spec;
  const of = digestOf({ args, by, parts, values, ...(files === null ? {} : { files }) });
  const name = `${step.id}.parts`;
  const { value, version } = await ask(run, step, run.ports.checkpoint(name));
  if (isSaved(value) && value.parts_of === partsId && value.of === of) {
    cursor?.see(value.files === undefined ? [] : unpackFiles(value.files));
    return { ...planOf(spec, value), saved: value, isEarlier: true };
  }
  await fresh();
  const found = files === null ? null : await filesOf(run, step, args);
  if (found !== null) cursor?.see(found);
  const span = values === null && found === null ? await spanOf(run, step, by ?? '', args) : null;
  const saved: SavedPlan = {
    parts_of: partsId,
    of,
    type: span?.type ?? 'integer',
    bounds: span === null ? [] : boundsBetween(span, parts ?? 1),
    loaded_at: run.context.clock.now(),
    ...(found !== null && { files: packFiles(found) }),
    ...(cursor !== null && { cursor: cursor.range.from ?? null }),
  };
  // Where another run of the task has saved its own in between, a later attempt of this one begins anew.
  await ask(run, step, run.ports.saveCheckpoint(name, saved, version));
  return { ...planOf(spec, saved), saved, isEarlier: false };
}

/** The parts of a plan that was saved. */
export function planOf(
  spec: PartitionSpec,
  saved: SavedPlan,
): Pick<PartPlan, 'parts' | 'digest' | 'loadedAt' | 'state'> {
  const state = 'cursor' in saved ? { cursor: saved.cursor } : {};
  return { parts: partsOf(spec, saved), digest: digestOf(saved), loadedAt: saved.loaded_at, state };
}

function partsOf({ by, values, files }: PartitionSpec, saved: SavedPlan): readonly Part[] {
  if (saved.files !== undefined) return fileParts(unpackFiles(saved.files), files ?? 1);
  // The column is given wherever files are not.
  const column = by ?? '';
  return values === null ? rangeParts(column, saved.type, saved.bounds) : valueParts(column, values);
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
