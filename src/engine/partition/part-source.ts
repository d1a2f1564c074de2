import { isRecord } from '../../base/json.ts';
import { shownValue } from '../../base/text/shown-value.ts';
import type { ColumnType, Conditions } from '../../drivers/driver.ts';
import type { FoundFile } from '../../drivers/files/storage/found-file.ts';
import { mergeConditions } from '../../drivers/scope/conditions.ts';
import { isTimeText } from '../../drivers/value-order.ts';
import type { ExtractStep } from '../../language/task/steps/extract-step.ts';
import { methodCursorOf } from '../cursor/cursor-range.ts';
import { isCursorValue } from '../cursor/cursor-value.ts';
import { closeConnection, openConnection } from '../open-connection.ts';
import { RunFault } from '../run-fault.ts';
import { type RunState, stateOf } from '../run-state.ts';
import { untilAborted } from '../until-aborted.ts';
import type { Span } from './divide.ts';
import type { OpenPart } from './part.ts';

/** Types of columns that ranges divide, and what their values are compared as. */
const RANGED: Readonly<Partial<Record<ColumnType, Span['type']>>> = {
  integer: 'integer',
  date: 'date',
  timestamp: 'datetime',
};

interface Seen {
  readonly type: ColumnType;
  readonly value: unknown;
}

/** The rendered arguments of a divided extract, with the condition of a part. */
export function partArgs(
  run: RunState,
  step: ExtractStep,
  { by, condition }: Pick<OpenPart, 'by' | 'condition'>,
  rendered: unknown,
): unknown {
  // Files have their rows as a whole.
  return condition === null ? rendered : argsWith(run, step, rendered, { [by]: condition }, {});
}

/** The files that the extract reads, sorted by name. */
export async function filesOf(
  run: RunState,
  step: ExtractStep,
  args: unknown,
): Promise<readonly FoundFile[]> {
  requireFileCursor(step, args);
  const connection = await openConnection(run, step, run.signal);
  try {
    const { filesOf } = connection;
    if (filesOf === undefined) throw fault(step, `"${step.method}" of its connector reads no files`);
    const request = { method: step.method, args, signal: run.signal };
    const looking = run.tally.time(step.connector, stateOf(run, step.id).meter, () =>
      filesOf.call(connection, request),
    );
    return await untilAborted(looking, run.signal);
  } finally {
    await closeConnection(connection);
  }
}

/** The same as the validator says, for arguments that are known only now. */
function requireFileCursor(step: ExtractStep, args: unknown): void {
  const column = isRecord(args) ? args['modified_column'] : undefined;
  if (step.cursor === null || step.cursor.field === column) return;
  throw fault(step, `its cursor must be on the "modified_column", since parts read whole files`);
}

/** The least and the greatest value of the column that divides the rows; null where no row has one. */
export async function spanOf(
  run: RunState,
  step: ExtractStep,
  by: string,
  rendered: unknown,
): Promise<Span | null> {
  const least = await endOf(run, step, by, rendered, by);
  const greatest = least === null ? null : await endOf(run, step, by, rendered, `-${by}`);
  if (least === null || greatest === null) return null;
  const type = RANGED[least.type];
  if (type === undefined)
    throw fault(
      step,
      `"${by}" is of type ${least.type}: ranges need an integer or time column; use "values"`,
    );
  for (const { value } of [least, greatest])
    if (type === 'integer' ? !isCursorValue(type, value) : !isTimeText(value))
      throw fault(step, `"${by}" holds ${shownValue(value)}, which is not of type ${type}`);
  return { type, least: String(least.value), greatest: String(greatest.value) };
}

/** The first row in this order that has a value. */
async function endOf(
  run: RunState,
  step: ExtractStep,
  by: string,
  rendered: unknown,
  order: string,
): Promise<Seen | null> {
  const args = argsWith(run, step, rendered, { [by]: { is_null: false } }, { order, limit: 1 });
  const connection = await openConnection(run, step, run.signal);
  try {
    const request = { method: step.method, args, limit: 1, batchRows: 1, signal: run.signal };
    const iterator = connection.read(request)[Symbol.asyncIterator]();
    const asked = run.tally.time(step.connector, stateOf(run, step.id).meter, () => iterator.next());
    const next = await untilAborted(asked, run.signal);
    await iterator.return?.();
    const row = next.done === true ? undefined : next.value.rows[0];
    if (next.done === true || row === undefined) return null;
    const column = next.value.columns.find(({ name }) => name === by);
    if (column === undefined)
      throw fault(step, `The rows have no column "${by}"; add it to the columns that are read`);
    return { type: column.type, value: row[by] };
  } finally {
    await closeConnection(connection);
  }
}

function argsWith(
  run: RunState,
  step: ExtractStep,
  rendered: unknown,
  condition: Conditions,
  { order, limit }: { readonly order?: string; readonly limit?: number },
): unknown {
  const method = methodCursorOf(run, step);
  const args = rendered ?? {};
  if (method?.kind !== 'conditions' || !isRecord(args))
    throw fault(step, 'The arguments of this extract do not accept conditions');
  const refused = [method.limit, method.sort].find((name) => name !== undefined && !isEmpty(args[name]));
  if (refused !== undefined) throw fault(step, `"${refused}" would act on each part by itself: leave it out`);
  const merged = mergeConditions(args[method.arg], condition);
  if (merged === null) throw fault(step, `"${method.arg}" must be a map of conditions`);
  return {
    ...args,
    [method.arg]: merged,
    ...(order === undefined || method.sort === undefined ? {} : { [method.sort]: [order] }),
    ...(limit === undefined || method.limit === undefined ? {} : { [method.limit]: limit }),
  };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function fault(step: ExtractStep, what: string): RunFault {
  return new RunFault('VALIDATION_ERROR', `The extract cannot be divided: ${what}`, {
    reason: 'config_error',
    stepId: step.id,
  });
}
