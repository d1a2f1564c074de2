import { isRecord } from '../../base/json.ts';
import { shownValue } from '../../base/text/shown-value.ts';
import type { Conditions } from '../../drivers/driver.ts';
import { mergeConditions } from '../../drivers/scope/conditions.ts';
import { loadsFedBy, readsCursor } from '../../language/task/check-cursors.ts';
import type { MethodCursor } from '../../language/task/method-cursor.ts';
import type { CursorSpec, ExtractStep } from '../../language/task/steps/extract-step.ts';
import type { LoadStep } from '../../language/task/steps/load/load-step.ts';
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
  /**
   * Those of a further read, of the rows without a value: a database finds them, and the others, by its index, but hardly both at
   * once. null where `args` give them too, or nobody asks for them.
   */
  readonly missing: unknown;
}

/**
 * The range of a run that begins at `saved`, or at `initial` where nothing is saved. Rows of the saved value are read again where every
 * load knows them by a key: more of the same value may have come since. Appended they would stand there twice.
 */
export async function rangeOf(run: RunState, step: ExtractStep, saved: unknown): Promise<CursorRange> {
  const spec = specOf(step);
  if (spec.isState) return { from: saved, saved, isFromIncluded: false, to: null };
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

/**
 * The load that appends what an extract reads by a time, of which more rows may come with the value that was read last: no run reads them.
 * null where there is none, or `end` keeps the cursor behind such rows.
 */
export function appendByTime(run: RunState, step: ExtractStep): LoadStep | null {
  const { type, end } = specOf(step);
  if (end !== null || (type !== 'date' && type !== 'datetime') || !limitsItself(run, step)) return null;
  const loads = loadsFedBy(run.plan.task.steps, step.id);
  return loads.find(({ mode, key }) => mode === 'append' && key.length === 0) ?? null;
}

/** The rendered arguments of an extract with the range as conditions; as they are where they read `state.cursor` themselves. */
export function rangedArgs(run: RunState, step: ExtractStep, args: unknown, range: CursorRange): RangedArgs {
  const method = methodCursorOf(run, step);
  if (readsCursor(step) || method?.kind !== 'conditions') return { args, isSorted: false, missing: null };
  const given = args ?? {};
  if (!isRecord(given)) return { args, isSorted: false, missing: null };
  refuseArgs(step, method, given);
  const spec = specOf(step);
  const { sort } = method;
  const isSorted = sort !== undefined && isOrderedBySource(run, step) && isEmpty(given[sort]);
  const bounds = boundsOf(spec, range);
  const isDatabase = sort !== undefined;
  const condition = conditionOf(spec, bounds, isDatabase);
  const merged = mergeConditions(given[method.arg], condition === null ? {} : { [spec.field]: condition });
  const missing = mergeConditions(given[method.arg], { [spec.field]: { is_null: true } });
  // What is no map of conditions the driver refuses in its own words.
  if (merged === null) return { args, isSorted: false, missing: null };
  const sorted = isSorted ? { [sort]: [spec.field] } : {};
  const parameter =
    method.param !== undefined && spec.param !== null && isEmpty(given[method.param])
      ? { [method.param]: { field: spec.field, param: spec.param } }
      : {};
  const isApart = isDatabase && bounds !== null && spec.onMissing !== 'skip';
  return {
    args: { ...given, [method.arg]: merged, ...sorted, ...parameter },
    isSorted,
    missing: isApart ? { ...given, [method.arg]: missing } : null,
  };
}

/** Whether the engine makes the condition of an extract's cursor. */
export function limitsItself(run: RunState, step: ExtractStep): boolean {
  return !readsCursor(step) && methodCursorOf(run, step)?.kind === 'conditions';
}

/** Whether the source gives the rows in the order of the cursor, by its own comparison. */
export function isOrderedBySource(run: RunState, step: ExtractStep): boolean {
  const method = methodCursorOf(run, step);
  const canSort = method?.kind === 'conditions' && method.sort !== undefined;
  return canSort && !readsCursor(step) && step.cursor?.order !== 'none';
}

export function methodCursorOf(
  { plan }: RunState,
  { connector, method }: ExtractStep,
): MethodCursor | undefined {
  const driver = plan.connectors.get(connector)?.driver;
  return driver?.methods.find(({ name }) => name === method)?.cursor;
}

function specOf(step: ExtractStep): CursorSpec {
  return step.cursor as CursorSpec;
}

/** The range as conditions; null where it has no bounds. */
function boundsOf(spec: CursorSpec, { from, isFromIncluded, to }: CursorRange): Conditions | null {
  if (from === null && to === null) return null;
  return {
    ...(from === null ? {} : { [isFromIncluded ? 'gte' : 'gt']: boundOf(spec.type, from) }),
    ...(to === null ? {} : { lt: boundOf(spec.type, to) }),
  };
}

/** A file is read as a whole anyway, and the tracker sees to its rows without a value; null for no condition. */
function conditionOf(spec: CursorSpec, bounds: Conditions | null, isDatabase: boolean): Conditions | null {
  if (bounds === null) return isDatabase && spec.onMissing === 'skip' ? { is_null: false } : null;
  return isDatabase ? bounds : { or_null: bounds };
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
  const shown = shownValue(value);
  const message =
    what === 'saved'
      ? `The saved cursor ${shown} is not of type ${type}: correct it, or delete it to start at "initial"`
      : `${what} of the cursor gave ${shown}, which is not of type ${type}`;
  throw refusal(step, message);
}

function refusal(step: ExtractStep, message: string): RunFault {
  return new RunFault('VALIDATION_ERROR', message, { reason: 'config_error', stepId: step.id });
}
