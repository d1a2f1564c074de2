import type { Column, Row } from '../../drivers/driver.ts';
import { withTexts } from '../../language/expression/exact/plain-number.ts';
import { ExpressionError } from '../../language/expression/expression.ts';
import { parseExpression } from '../../language/expression/parse-expression.ts';
import { isSetOp } from '../../language/task/steps/ops/transform-ops.ts';
import { allSteps } from '../../language/task/steps/steps.ts';
import type { TransformStep } from '../../language/task/steps/transform-step.ts';
import { linkedController } from '../linked-controller.ts';
import { forColumns, rowView } from '../ops/row-view.ts';
import { planTask } from '../plan/plan-task.ts';
import type { RunInput } from '../run.ts';
import type { RunContext } from '../run-context.ts';
import { RunFault } from '../run-fault.ts';
import { createRunState, type RunState, runScope } from '../run-state.ts';
import { runUnits } from '../run-units.ts';
import { madeOf } from './preview-steps.ts';
import { silentPorts } from './preview-task.ts';
import { transformSome } from './preview-transform.ts';
import { unopened } from './unopened.ts';

/** Time of one evaluation with the operations before it, in milliseconds. */
const EVALUATION_TIMEOUT_MS = 3_000;
/** Longest value that is given back, in characters of its JSON. */
export const SHOWN_VALUE_CHARS_MAX = 50_000;

export interface RowExpression {
  /** The transform, script or load in which it stands. */
  readonly stepId: string;
  /** How many operations of the transform come before it. */
  readonly opsBefore: number;
  readonly source: string;
  /** As it comes into the step. */
  readonly row: Row;
}

export interface Evaluated {
  /** Null where the expression finds nothing, and where there is a problem. */
  readonly value: unknown;
  /** What the expression reads as `item`; null where an operation before it left the row out or refused it. */
  readonly item: Row | null;
  /** `position` counts characters from 0 into the expression; null where it is not certain. */
  readonly problem: { readonly message: string; readonly position: number | null } | null;
}

/**
 * The value of an expression on one row: the operations before it are done first. No connector is opened; an expression behind a lookup,
 * a join or another operation over several rows is refused with the reason. The task must be valid without this expression's own text.
 */
export async function evaluateOnRow(
  input: RunInput,
  context: RunContext,
  expression: RowExpression,
): Promise<Evaluated> {
  const parsed = parseExpression(expression.source);
  if (!parsed.ok) return refused(parsed.problem.message, parsed.problem.position);
  const planned = planTask(input, { ...context, drivers: unopened(context.drivers) });
  if (!planned.ok) return refused(planned.problems[0]?.message ?? 'The task is not valid');
  const step = allSteps(planned.plan.task.steps).find(({ id }) => id === expression.stepId);
  if (step === undefined) return refused(`The task has no step "${expression.stepId}"`);
  const control = linkedController(context.signal);
  const late = new RunFault('TIMEOUT', 'The expression was not evaluated in time', {
    reason: 'timeout',
    stepId: step.id,
  });
  const timer = setTimeout(() => control.abort(late), EVALUATION_TIMEOUT_MS);
  try {
    const { plan } = planned;
    const run = createRunState({
      input,
      ports: silentPorts,
      context,
      plan,
      signal: control.signal,
      runUnits,
    });
    const found =
      step.kind === 'transform' ? await itemAt(step, run, expression) : { item: expression.row, columns: [] };
    if (typeof found === 'string') return refused(found);
    const { item, columns } = found;
    const own = forColumns(parsed.expression, columns);
    const seen = rowView([own], columns)?.(item) ?? item;
    const value = withTexts(await own.evaluate({ ...runScope(run), item: seen, index: 0 }));
    if ((JSON.stringify(value) ?? '').length > SHOWN_VALUE_CHARS_MAX)
      return { ...refused(`The value is longer than ${SHOWN_VALUE_CHARS_MAX} characters`), item };
    return { value: value ?? null, item, problem: null };
  } catch (error) {
    if (control.signal.aborted) throw control.signal.reason;
    if (!(error instanceof ExpressionError)) throw error;
    return refused(error.message, error.position ?? null);
  } finally {
    clearTimeout(timer);
    control.unlink();
  }
}

/** The row behind the operations before the expression, or why there is none. */
async function itemAt(
  step: TransformStep,
  run: RunState,
  { opsBefore, row }: RowExpression,
): Promise<{ readonly item: Row; readonly columns: readonly Column[] } | string> {
  const before = step.ops.slice(0, opsBefore);
  const beyond = before.find((op) => isSetOp(op) || op.op === 'lookup');
  if (beyond !== undefined)
    return `The preceding operation "${beyond.op}" needs more than this row: see the preview of the step`;
  const made = await transformSome({ ...step, whenPerItem: false }, run, madeOf([row]).batches, before, {
    given: new Map(),
    found: [],
  });
  const error = made.errors[0];
  if (error !== undefined) return `A preceding operation rejects the row: ${error.message}`;
  const [batch] = made.batches;
  const [item] = batch?.rows ?? [];
  if (batch === undefined || item === undefined) return 'A preceding operation filters out the row';
  return { item, columns: batch.columns };
}

function refused(message: string, position: number | null = null): Evaluated {
  return { value: null, item: null, problem: { message, position } };
}
