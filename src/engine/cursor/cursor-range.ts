import { isRecord } from '../../base/json.ts';
import type { Conditions } from '../../drivers/driver.ts';
import { mergeConditions } from '../../drivers/scope/conditions.ts';
import { loadsFedBy, readsState } from '../../language/task/check-cursors.ts';
import type { MethodCursor } from '../../language/task/method-cursor.ts';
import type { CursorSpec, ExtractStep } from '../../language/task/steps/extract-step.ts';
import { RunFault } from '../run-fault.ts';
import { type RunState, runScope } from '../run-state.ts';
import { boundOf, isCursorValue, withLookback } from './cursor-value.ts';

/** What of a source one run reads. */
export interface CursorRange {
  /** `state.cursor`; null: from the beginning. */
  readonly from: unknown;
  /** The saved value, without the lookback; null where nothing is saved. */
  readonly saved: unknown;
  /** Rows of the value `from` are read as well. */
  readonly isFromIncluded: boolean;
  /** The first value that is not read any more; null: to the end. */
  readonly to: unknown;
}

/** The arguments of a read in a range. */
export interface RangedArgs {
  readonly args: unknown;
  /** The source gives the rows in the order of the cursor, and by its own comparison none outside the range. */
  readonly isSorted: boolean;
}

/**
 * The range of a run that begins at `saved`, or at `initial` where nothing is saved. Rows of the saved value are read again where every
 * load knows them by a key: more of the same value may have come since. Appended they would stand there twice.
 */
export async function rangeOf(run: RunState, step: ExtractStep, saved: unknown): Promise<CursorRange> {
  const spec = specOf(step);
  const scope = runScope(run);
  const to = (await spec.end?.render(scope)) ?? null;
  requireValue(step, to, '"end"');
  if (saved === null) {
    const from = (await spec.initial?.render(scope)) ?? null;
    requireValue(step, from, '"initial"');
    return { from, saved, isFromIncluded: true, to };
  }
  requireValue(step, saved, 'saved');
  const loads = loadsFedBy(run.plan.task.steps, step.id);
  const isKeyed = loads.length > 0 && loads.every(({ key }) => key.length > 0);
  return { from: withLookback(spec, saved), saved, isFromIncluded: isKeyed || spec.lookbackMs > 0, to };
}

/** The rendered arguments of an extract with the range as conditions; as they are where they read `state.cursor` themselves. */
export function rangedArgs(run: RunState, step: ExtractStep, args: unknown, range: CursorRange): RangedArgs {
  const method = methodCursorOf(run, step);
  if (readsState(step) || method?.kind !== 'conditions') return { args, isSorted: false };
  const given = args ?? {};
  if (!isRecord(given)) return { args, isSorted: false };
  refuseArgs(step, method, given);
  const spec = specOf(step);
  const ordersItself = method.sort !== undefined && isEmpty(given[method.sort]) && spec.order !== 'none';
  const condition = conditionOf(spec, range, method.sort !== undefined);
  const merged = mergeConditions(given[method.arg], condition === null ? {} : { [spec.field]: condition });
  // What is no map of conditions the driver refuses in its own words.
  if (merged === null) return { args, isSorted: false };
  const sorted = ordersItself && method.sort !== undefined ? { [method.sort]: [spec.field] } : {};
  return { args: { ...given, [method.arg]: merged, ...sorted }, isSorted: ordersItself };
}

/** Whether the engine makes the condition of an extract's cursor. */
export function limitsItself(run: RunState, step: ExtractStep): boolean {
  return !readsState(step) && methodCursorOf(run, step)?.kind === 'conditions';
}

/** Whether the source gives the rows in the order of the cursor, by its own comparison. */
export function isOrderedBySource(run: RunState, step: ExtractStep): boolean {
  const method = methodCursorOf(run, step);
  return (
    !readsState(step) &&
    method?.kind === 'conditions' &&
    method.sort !== undefined &&
    step.cursor?.order !== 'none'
  );
}

function methodCursorOf({ plan }: RunState, { connector, method }: ExtractStep): MethodCursor | undefined {
  const driver = plan.connectors.get(connector)?.driver;
  return driver?.methods.find(({ name }) => name === method)?.cursor;
}

function specOf(step: ExtractStep): CursorSpec {
  return step.cursor as CursorSpec;
}

/** Bounds on the field, and, where rows without a value are not just skipped, those rows: the tracker sees to them. */
function conditionOf(
  spec: CursorSpec,
  { from, isFromIncluded, to }: CursorRange,
  isDatabase: boolean,
): Conditions | null {
  const bounds = {
    ...(from === null ? {} : { [isFromIncluded ? 'gte' : 'gt']: boundOf(spec.type, from) }),
    ...(to === null ? {} : { lt: boundOf(spec.type, to) }),
  };
  const isBounded = Object.keys(bounds).length > 0;
  // A file is read as a whole anyway; a database may hold many rows without a value.
  if (spec.onMissing === 'skip' && isDatabase) return isBounded ? bounds : { is_null: false };
  return isBounded ? { or_null: bounds } : null;
}

/** The same as the validator says, for arguments that are known only now. */
function refuseArgs(
  step: ExtractStep,
  { limit, sort }: Extract<MethodCursor, { kind: 'conditions' }>,
  args: Readonly<Record<string, unknown>>,
): void {
  if (limit !== undefined && !isEmpty(args[limit]))
    throw refusal(step, `"${limit}" beside a cursor would pass over rows`);
  const { type, window, field } = specOf(step);
  if (sort !== undefined && !isEmpty(args[sort]) && (type === 'string' || window !== null))
    throw refusal(step, `The cursor needs rows in the order of "${field}": leave "${sort}" out`);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function requireValue(step: ExtractStep, value: unknown, what: string): void {
  const { type } = specOf(step);
  if (value === null || isCursorValue(type, value)) return;
  const shown = (JSON.stringify(value) ?? '').slice(0, 100);
  const message =
    what === 'saved'
      ? `The saved cursor ${shown} is no ${type}: set it to one, or delete it to begin at "initial"`
      : `${what} of the cursor gave ${shown}, which is no ${type}`;
  throw refusal(step, message);
}

function refusal(step: ExtractStep, message: string): RunFault {
  return new RunFault('VALIDATION_ERROR', message, { reason: 'config_error', stepId: step.id });
}
