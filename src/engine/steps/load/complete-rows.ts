import { EMPTYING_MODES, type LoadStep } from '../../../language/task/steps/load/load-step.ts';
import { inputsOf } from '../../../language/task/steps/step-kind.ts';
import type { Flow, Stage } from '../../pipeline/flow.ts';
import type { RunState } from '../../run-state.ts';

const NOTHING_CAME = 'there were no rows; set allow_empty: true if that is expected';

/** Whether rows that did not come are missing; where it cannot be known, the log says why. */
export function mayDelete(
  stage: Stage<LoadStep>,
  stages: readonly Stage[],
  { run }: Flow,
  written: number,
): boolean {
  const { step } = stage;
  const why = written === 0 && !step.allowEmpty ? NOTHING_CAME : whyIncomplete(stage, stages, run);
  if (why !== null) run.ports.log('warn', step.id, `Missing rows are not deleted: ${why}`);
  return why === null;
}

/** Why a load did not get every row of its sources, so that a row which did not come may still be there; null where it got all. */
function whyIncomplete(
  load: Stage<LoadStep>,
  stages: readonly Stage[],
  run: Pick<RunState, 'origins' | 'end'>,
): string | null {
  if (run.origins !== null) return 'a replay has only the failed rows';
  if (run.end.isStopped) return 'the task was stopped';
  for (const { step, state } of sourcesOf(load, stages)) {
    const { rows_failed } = state.figures;
    if (rows_failed > 0) return `${rows_failed} rows failed in "${step.id}", and their keys are not known`;
    if (step.kind === 'extract' && step.cursor !== null)
      return `"${step.id}" reads only new rows, by a cursor`;
  }
  return null;
}

/** The load, and the stages that its rows pass. */
function sourcesOf(load: Stage, stages: readonly Stage[]): readonly Stage[] {
  const ids = new Set([load.step.id]);
  for (const id of ids) {
    const stage = stages.find(({ step }) => step.id === id);
    for (const source of stage === undefined ? [] : inputsOf(stage.step)) ids.add(source);
  }
  return stages.filter(({ step }) => ids.has(step.id));
}

/** Tells that no rows arrived, of a load that would have replaced those of the target. */
export function warnKept(run: RunState, { id, mode, allowEmpty }: LoadStep, object: string): void {
  if (!EMPTYING_MODES.includes(mode) || allowEmpty) return;
  run.ports.log(
    'warn',
    id,
    `No rows arrived, so "${object}" keeps its rows; set allow_empty: true to empty it`,
  );
}
