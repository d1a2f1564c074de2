import { readExpressionKey } from '../../yaml/expression-reader.ts';
import { type MapKeys, type MapReader, readMap } from '../../yaml/map-reader.ts';
import { ITEM_NAMES, TASK_NAMES } from '../../yaml/scope-names.ts';
import { readRetry } from '../retry-policy.ts';
import type { OnError, RetryPolicy, Step, Task } from '../task.ts';

/** The keys of every step, whatever its kind. `needs` and `input` are settled by `link-steps.ts`. */
export type StepCommon = Pick<
  Step,
  | 'id'
  | 'name'
  | 'when'
  | 'whenPerItem'
  | 'timeoutMs'
  | 'retry'
  | 'onError'
  | 'allowFailure'
  | 'batchRows'
  | 'batchRowsGiven'
> & {
  /** As written; null where the document leaves it out. */
  readonly needs: readonly string[] | null;
  readonly input: string | null;
};

/** A step before its references are settled. */
type Unlinked<S extends Step> = S extends Step ? Omit<S, 'needs' | 'input'> & StepCommon : never;
export type DraftStep = Unlinked<Step>;

/** What the kinds read from their document. */
export interface StepContext {
  readonly connectors: Task['connectors'];
}

/** How one kind of step is read. */
export interface StepReader {
  readonly keys: MapKeys;
  /** Takes rows from the step that `input` names. */
  readonly takesRows: boolean;
  /** Gives rows to the steps that name it as `input`. */
  readonly givesRows: boolean;
  readonly retry: RetryPolicy;
  read(reader: MapReader, common: StepCommon, context: StepContext): DraftStep;
}

export const COMMON_KEYS: MapKeys = {
  keys: ['id', 'kind', 'name', 'when', 'needs', 'timeout', 'retry', 'on_error', 'allow_failure'],
  later: ['concurrency'],
};

const BATCH_ROWS = 1_000;
const BATCH_ROWS_MAX = 50_000;
const ERRORS_MAX = 1_000_000_000;

export function readCommon(reader: MapReader, kind: StepReader): StepCommon {
  const perItem = kind.takesRows;
  const when = readExpressionKey(reader, 'when', perItem ? ITEM_NAMES : TASK_NAMES);
  return {
    id: reader.name('id', 'word', { required: true }) ?? '',
    name: reader.text('name'),
    when,
    whenPerItem: perItem && (when?.names.has('item') || when?.names.has('index')) === true,
    needs: reader.names('needs'),
    input: reader.text('input', { required: kind.takesRows }),
    timeoutMs: reader.duration('timeout'),
    retry: readRetry(reader, kind.retry),
    onError: readOnError(reader, kind),
    allowFailure: reader.flag('allow_failure'),
    ...readBatchRows(reader),
  };
}

function readBatchRows(reader: MapReader): Pick<StepCommon, 'batchRows' | 'batchRowsGiven'> {
  const batch = reader.submap('batch', { keys: ['size'], later: ['max_bytes'] });
  const size = batch?.integer('size', { min: 1, max: BATCH_ROWS_MAX }) ?? null;
  return { batchRows: size ?? BATCH_ROWS, batchRowsGiven: size !== null };
}

/** `on_error: skip`, or `on_error: {action, max_errors, max_error_rate}`. */
function readOnError(reader: MapReader, kind: StepReader): OnError {
  const rows = kind.takesRows || kind.givesRows;
  const actions = rows ? (['fail', 'skip', 'dead_letter'] as const) : (['fail', 'skip'] as const);
  if (!rows && actionOf(reader.value('on_error')) === 'dead_letter') {
    reader.wrong('on_error', '"dead_letter" needs rows: this step has none; use fail or skip');
    return { action: 'fail', maxErrors: null, maxErrorRate: null };
  }
  if (typeof reader.value('on_error') === 'string') {
    return { action: reader.oneOf('on_error', actions) ?? 'fail', maxErrors: null, maxErrorRate: null };
  }
  const onError = reader.submap('on_error', { keys: ['action', 'max_errors', 'max_error_rate'] });
  if (onError === null) return { action: 'fail', maxErrors: null, maxErrorRate: null };
  const action = onError.oneOf('action', actions, { required: true });
  for (const key of ['max_errors', 'max_error_rate']) {
    if (action === 'fail') onError.idle(key, '"action" is fail, so the first error ends the step');
    else if (!rows) onError.idle(key, 'this step has no rows to count');
  }
  return {
    action: action ?? 'fail',
    maxErrors: onError.integer('max_errors', { min: 0, max: ERRORS_MAX }),
    maxErrorRate: onError.number('max_error_rate', { min: 0, max: 1 }),
  };
}

function actionOf(value: unknown): unknown {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>)['action'] : value;
}

/** The declared connector that the step names; its name where it is declared. */
export function readConnector(reader: MapReader, context: StepContext): string {
  const name = reader.text('connector', { required: true });
  if (name === null) return '';
  if (!Object.hasOwn(context.connectors, name)) {
    const declared = Object.keys(context.connectors);
    const known =
      declared.length === 0 ? 'declare it under "connectors"' : `declared are ${declared.join(', ')}`;
    reader.wrong('connector', `There is no connector "${name}"; ${known}`);
  }
  return name;
}

/** Opens a step with the keys of its kind; a key of another kind is reported as such. */
export function openStep(
  reader: MapReader,
  kind: StepReader,
  otherKeys: ReadonlySet<string>,
  name: string,
): MapReader {
  const keys = [...COMMON_KEYS.keys, ...kind.keys.keys];
  const later = [...(COMMON_KEYS.later ?? []), ...(kind.keys.later ?? [])];
  const misplaced = Object.keys(reader.map).filter(
    (key) => otherKeys.has(key) && !keys.includes(key) && !later.includes(key),
  );
  for (const key of misplaced)
    reader.wrong(key, `"${key}" has no effect: the step is of kind "${name}"`, 'key');
  return readMap(reader.check, reader.map, reader.path, { keys: [...keys, ...misplaced], later }) ?? reader;
}
