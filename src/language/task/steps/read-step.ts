import { isRecord } from '../../../base/json.ts';
import type { DocumentCheck } from '../../yaml/document-check.ts';
import { MapReader, typeName } from '../../yaml/map-reader.ts';
import { didYouMean } from '../../yaml/suggest-name.ts';
import type { Path } from '../../yaml/yaml-path.ts';
import type { StepKind } from '../task.ts';
import { assertStep } from './assert-step.ts';
import { callStep } from './call-step.ts';
import { extractStep } from './extract-step.ts';
import { loadStep } from './load-step.ts';
import { logStep } from './log-step.ts';
import { type DraftStep, openStep, readCommon, type StepContext, type StepReader } from './step-base.ts';
import { transformStep } from './transform-step.ts';

export const STEP_READERS: Readonly<Record<StepKind, StepReader>> = {
  extract: extractStep,
  transform: transformStep,
  load: loadStep,
  call: callStep,
  assert: assertStep,
  log: logStep,
};

const KINDS_LATER = ['foreach', 'branch', 'parallel', 'set_state', 'sleep', 'stop', 'run_task'];

const KIND_KEYS: ReadonlySet<string> = new Set(Object.values(STEP_READERS).flatMap((kind) => kind.keys.keys));

/** Reads one step; null where it has no kind that this version knows. */
export function readStep(
  check: DocumentCheck,
  value: unknown,
  path: Path,
  context: StepContext,
): DraftStep | null {
  if (!isRecord(value)) {
    check.add(path, `A step must be a map, not ${typeName(value)}`);
    return null;
  }
  const map = new MapReader(check, value, path);
  const kind = map.text('kind', { required: true });
  if (kind === null) return null;
  if (KINDS_LATER.includes(kind))
    return map.wrong('kind', `"${kind}" steps are not supported by this version`);
  if (!Object.hasOwn(STEP_READERS, kind)) {
    const known = Object.keys(STEP_READERS);
    return map.wrong(
      'kind',
      `Unknown kind "${kind}"${didYouMean(kind, known) || `; there are ${known.join(', ')}`}`,
    );
  }
  const reader = STEP_READERS[kind as StepKind];
  const step = openStep(map, reader, KIND_KEYS, kind);
  return reader.read(step, readCommon(step, reader), context);
}
