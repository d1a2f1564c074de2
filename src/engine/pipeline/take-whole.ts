import type { Writer } from '../../drivers/driver.ts';
import type { LoadStep } from '../../language/task/steps/load/load-step.ts';
import { tellProgress } from '../report/step-report.ts';
import type { RunState } from '../run-state.ts';
import { untilAborted } from '../until-aborted.ts';
import type { BatchQueue, Takes } from './batch-queue.ts';
import type { Flow, Stage } from './flow.ts';

/** What a load may take of its extract as a whole: it does nothing to single rows, and its driver can. */
export function takesOf(step: LoadStep, { plan, part }: RunState): Takes {
  const { mode, whenPerItem, audit, newColumns, newTypes, onChange, verify } = step;
  const takesAny = newColumns === 'evolve' && newTypes === null && onChange === null;
  const leavesRows = !whenPerItem && audit === null && verify === null && takesAny;
  if (!leavesRows || part !== null) return null;
  const { copies, takesFiles } = plan.connectors.get(step.connector)?.driver.capabilities ?? {};
  if (takesFiles === true) return mode === 'replace' ? 'file' : null;
  const source = plan.task.steps.find(({ id }) => id === step.input);
  const given = source?.kind === 'extract' ? plan.connectors.get(source.connector)?.driver : undefined;
  return copies !== undefined && given?.capabilities.copies === copies ? 'copy' : null;
}

/** The rows of what the target took in place of batches; null where batches come. */
export async function takeWhole(
  stage: Stage<LoadStep>,
  flow: Flow,
  writer: Writer,
  object: string,
): Promise<number | null> {
  const { input } = stage;
  if (input === null) return null;
  if (input.takes === 'copy') return takeCopy(stage, flow, { writer, object, input });
  return input.takes === 'file' ? takeFile(stage, flow, { writer, object, input }) : null;
}

interface Taking {
  readonly writer: Writer;
  readonly object: string;
  readonly input: BatchQueue;
}

async function takeFile(
  { step, state }: Stage<LoadStep>,
  { run, signal }: Flow,
  { writer, object, input }: Taking,
): Promise<number | null> {
  const file = await input.offeredFile;
  if (file === null) return null;
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

/** Where the target takes no copy, or not this one, the rows come as batches, of which each that does not fit is told. */
async function takeCopy(
  { step, state }: Stage<LoadStep>,
  { run, signal }: Flow,
  { writer, object, input }: Taking,
): Promise<number | null> {
  const copy = await input.offeredCopy;
  if (copy === null) return null;
  const from = performance.now();
  const onRows = (rows: number) => {
    state.figures.rows_in = rows;
    tellProgress(run, state);
  };
  const taking = run.tally.time(
    step.connector,
    state.meter,
    async () => (await writer.takeCopy?.(copy, onRows)) ?? null,
  );
  const rows = await untilAborted(taking, signal);
  state.figures.rows_in = rows ?? 0;
  if (rows !== null) {
    state.meter.items.add(rows, performance.now() - from);
    state.figures.rows_out = rows;
    const message = `The rows went into "${object}" as the source's database wrote them`;
    run.ports.log('info', step.id, message, { rows });
  }
  input.answer(rows);
  return rows;
}
