import type { Writer } from '../../drivers/driver.ts';
import type { LoadStep } from '../../language/task/steps/load/load-step.ts';
import { tellProgress } from '../report/step-report.ts';
import type { RunState } from '../run-state.ts';
import { untilAborted } from '../until-aborted.ts';
import type { Flow, Stage } from './flow.ts';

/** Whether a load may take the file of its extract as a whole: it does nothing to single rows, and its driver can. */
export function mayTakeFile(step: LoadStep, { plan, part }: RunState): boolean {
  const { mode, whenPerItem, audit, newColumns, newTypes, onChange } = step;
  const takesAny = newColumns === 'evolve' && newTypes === null && onChange === null;
  const leavesRows = !whenPerItem && audit === null && takesAny;
  const takes = plan.connectors.get(step.connector)?.driver.capabilities.takesFiles === true;
  return takes && leavesRows && mode === 'replace' && part === null;
}

/** The rows of the file that the target took in place of batches; null where batches come. */
export async function takeFile(
  { step, state, input }: Stage<LoadStep>,
  { run, signal }: Flow,
  writer: Writer,
  object: string,
): Promise<number | null> {
  const file = input?.takesFile === true ? await input.offered : null;
  if (input === null || file === null) return null;
  const from = performance.now();
  const taking = run.tally.time(
    step.connector,
    state.meter,
    async () => (await writer.takeFile?.(file)) ?? null,
  );
  const rows = await untilAborted(taking, signal);
  input.answer(rows);
  if (rows === null) {
    const message = `"${object}" is loaded row by row: the engine cannot read "${file.name}" directly`;
    run.ports.log('info', step.id, message);
    return null;
  }
  state.meter.items.add(rows, performance.now() - from);
  state.figures.rows_in += rows;
  state.figures.rows_out = rows;
  run.ports.log('info', step.id, `The engine wrote "${object}" directly from the file "${file.name}"`, {
    rows,
  });
  tellProgress(run, state);
  return rows;
}
