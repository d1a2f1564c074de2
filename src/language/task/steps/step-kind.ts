import { isRecord } from '../../../base/json.ts';
import { expression } from '../../declare/expressions.ts';
import { type MapOf, map, submap } from '../../declare/map.ts';
import { alwaysIdle, idleWhere, type Rule } from '../../declare/rules.ts';
import { type Keys, special, type Value, type ValuesOf } from '../../declare/value.ts';
import { duration, flag, integer, name, names, number, oneOf, text } from '../../declare/values.ts';
import type { Expression } from '../../expression/expression.ts';
import type { MapReader } from '../../yaml/map-reader.ts';
import { ITEM_NAMES, TASK_NAMES } from '../../yaml/scope-names.ts';
import type { Path } from '../../yaml/yaml-path.ts';
import { BATCH, type BatchBounds, type BatchFields, batchFields } from '../batch-bounds.ts';
import { type RetryPolicy, retry } from '../retry-policy.ts';

/** The keys of a task's `defaults`. */
const DEFAULTED = ['timeout', 'retry', 'on_error', 'batch'];

const ACTS_ONCE =
  'the step acts once; steps inside a "parallel" run at the same time, and a "foreach" has "concurrency" for its items';

export interface OnError {
  readonly action: 'fail' | 'skip' | 'dead_letter';
  /** Absolute bound on failed items, or null. */
  readonly maxErrors: number | null;
  /** Bound on failed items over all items, 0 to 1, or null. */
  readonly maxErrorRate: number | null;
}

/** What every step has, whatever its kind. */
export interface StepBase extends BatchFields {
  readonly id: string;
  readonly name: string | null;
  readonly when: Expression | null;
  /** True when `when` reads `item`: then it is asked for every item. */
  readonly whenPerItem: boolean;
  /** Steps that must have ended, or that feed this one. Default: the one before. */
  readonly needs: readonly string[];
  /** The step whose rows this one reads, or null. */
  readonly input: string | null;
  /** Further steps whose rows it reads, each to its end. */
  readonly sources: readonly string[];
  readonly timeoutMs: number | null;
  readonly retry: RetryPolicy;
  readonly onError: OnError;
  readonly allowFailure: boolean;
  /** Of the keys that a task's `defaults` may have, those that the step has itself. */
  readonly given: readonly string[];
  /** The lists of steps inside this one; empty for a step that has none. */
  readonly bodies: readonly (readonly LinkedStep[])[];
}

/** A step of any kind, its references settled. */
export interface LinkedStep extends StepBase {
  readonly kind: string;
}

/** The steps whose rows a step reads. */
export function inputsOf({ input, sources }: Pick<StepBase, 'input' | 'sources'>): readonly string[] {
  return input === null ? sources : [input, ...sources];
}

/** A step before its references are settled: `needs` as written, null where the document leaves it out. */
export interface DraftStep extends Omit<StepBase, 'needs' | 'sources' | 'bodies'> {
  readonly kind: string;
  readonly needs: readonly string[] | null;
  readonly sources: readonly StepSource[];
  readonly bodies: readonly StepList[];
}

/** A step whose rows another one reads, as the document names it. */
export interface StepSource {
  readonly step: string;
  /** Where it is named, from the step that reads on. */
  readonly keys: Path;
}

/** A step and its path in the document. */
export interface PlacedStep {
  readonly step: DraftStep;
  readonly path: Path;
  readonly givesRows: boolean;
}

/** Steps of one list, as they were read. */
export interface StepList {
  readonly placed: readonly PlacedStep[];
  /** Ids of steps that could not be read: what names them is not wrong for that. */
  readonly unread: readonly string[];
  /** By default each step needs the one before; else none. */
  readonly inOrder: boolean;
}

/** `items`: takes rows where it names an `input`, and has items of its own where it does not. */
type Takes = boolean | 'items';

interface Rows<R extends Takes> {
  /** Takes rows from the step that `input` names. */
  readonly takesRows: R;
  /** Gives rows to the steps that name it as `input`. */
  readonly givesRows: boolean;
}

/** One kind of step: everything that the language knows of it. */
export interface StepKind<N extends string = string, R extends Takes = Takes, F = unknown> extends Rows<R> {
  readonly kind: N;
  readonly map: MapOf<DraftStep & F>;
}

/** The typed step that a kind reads. */
export type StepOf<K> =
  K extends StepKind<infer N, infer R, infer F>
    ? StepBase & F & { readonly kind: N } & (R extends true ? { readonly input: string } : unknown)
    : never;

interface StepDeclaration<N extends string, R extends Takes, K extends Keys, F> extends Rows<R> {
  readonly kind: N;
  readonly words: string;
  /** Where the document says nothing. */
  readonly retry: RetryPolicy;
  /** Its own keys: those of every step, `input` and `batch` are added. */
  readonly keys: K;
  /** What does in its place what `concurrency` would; the end of a message. Only where it has no such key. */
  readonly atOnce?: string;
  readonly rules?: readonly Rule[];
  /** The step's own fields. Default: the values of its own keys. */
  readonly make?: (values: ValuesOf<K>) => F;
  /** The lists of steps among the values. */
  readonly bodies?: (values: ValuesOf<K>) => readonly StepList[];
  /** The steps that the values name, whose rows it reads to their end. */
  readonly sources?: (values: ValuesOf<K>) => readonly StepSource[];
}

/** Declares a kind of step, once for its reader, its schema and its type. */
export function stepKind<const N extends string, const R extends Takes, K extends Keys, F = ValuesOf<K>>(
  declaration: StepDeclaration<N, R, K, F>,
): StepKind<N, R, F> {
  const { kind, words, takesRows, givesRows, atOnce = ACTS_ONCE, rules = [] } = declaration;
  const keys: Keys = {
    ...commonKeys(declaration),
    ...(takesRows === true ? { input: INPUT } : {}),
    ...(takesRows === 'items' ? { input: ROWS_OF } : {}),
    ...declaration.keys,
    ...(takesRows === true || givesRows ? { batch: BATCH } : {}),
  };
  const make = (read: unknown, reader: MapReader): DraftStep & F => {
    const values = read as CommonValues & ValuesOf<K>;
    const bodies = declaration.bodies?.(values) ?? [];
    const sources = declaration.sources?.(values) ?? [];
    const given = DEFAULTED.filter((key) => reader.has(key));
    return {
      ...fieldsOf(declaration, values),
      ...commonOf(declaration, values),
      kind,
      sources,
      bodies,
      given,
    };
  };
  const title = `A step of kind ${kind}`;
  return {
    kind,
    takesRows,
    givesRows,
    map: map(words, keys, {
      title,
      instead: 'concurrency' in keys ? {} : { concurrency: atOnce },
      rules,
      make,
    }),
  };
}

function fieldsOf<N extends string, R extends Takes, K extends Keys, F>(
  { keys, make }: StepDeclaration<N, R, K, F>,
  values: ValuesOf<K>,
): F {
  if (make !== undefined) return make(values);
  return Object.fromEntries(Object.keys(keys).map((key) => [key, values[key]])) as F;
}

type CommonValues = ValuesOf<ReturnType<typeof commonKeys>> & {
  readonly input?: string | null;
  readonly batch?: BatchBounds | null;
};

function commonOf(
  { takesRows, retry }: Pick<StepDeclaration<string, Takes, Keys, unknown>, 'takesRows' | 'retry'>,
  values: CommonValues,
): Omit<DraftStep, 'kind' | 'sources' | 'bodies' | 'given'> {
  const { id, name, when, needs, input = null, batch = null } = values;
  return {
    id,
    name,
    when,
    whenPerItem: takesRows !== false && (when?.names.has('item') || when?.names.has('index')) === true,
    needs,
    input,
    timeoutMs: values.timeout,
    retry: values.retry ?? retry,
    onError: values.on_error,
    allowFailure: values.allow_failure,
    ...batchFields(batch),
  };
}

function commonKeys({
  kind,
  takesRows,
  givesRows,
  retry: { maxAttempts },
}: Pick<StepDeclaration<string, Takes, Keys, unknown>, 'kind' | 'takesRows' | 'givesRows' | 'retry'>) {
  return {
    id: name('Name of the step in `needs`, `input` and `steps.<id>`; unique within the task.', 'word', {
      required: true,
    }),
    kind: special('What the step does.', { const: kind }, () => kind, { required: true }),
    name: text('Title, shown instead of the id.'),
    when: expression(
      takesRows === false
        ? 'The step is skipped when this is false.'
        : `The step is skipped when this is false. If it uses \`item\`, each ${takesRows === true ? 'row' : 'item'} for which it is false is skipped.`,
      takesRows === false ? TASK_NAMES : ITEM_NAMES,
    ),
    needs: names('Steps that must finish before this one starts.', { absent: 'the step before it' }),
    timeout: duration('Timeout of each attempt.', { absent: 'none' }),
    retry: retry(
      `Retries after transient failures, such as a lost connection. Default: ${maxAttempts === 1 ? 'one attempt' : `${maxAttempts} attempts`}.`,
    ),
    on_error: onError(takesRows === 'items' ? 'items' : takesRows ? 'rows' : givesRows ? 'records' : null),
    allow_failure: flag('Whether the task continues, and may succeed, when this step fails.'),
  };
}

const INPUT = text('The step whose rows this one processes.', { required: true });
const ROWS_OF = text('An extract or transform whose rows are the items, one at a time as they arrive.');

const FAIL: OnError = { action: 'fail', maxErrors: null, maxErrorRate: null };

/** What `on_error` acts on: the rows that a step takes, or the records that it reads. */
const FAILED_ROWS = {
  rows: 'rows that fail',
  records: 'malformed records of the source',
  items: 'items whose steps fail',
} as const;

/** `on_error: skip`, or `on_error: {action, max_errors, max_error_rate}`. */
export function onError(
  rows: keyof typeof FAILED_ROWS | null,
  intro = rows === null ? '' : `What happens to ${FAILED_ROWS[rows]}:`,
): Value<OnError> {
  const words = rows
    ? `${intro} \`fail\` the step (the default), \`skip\` them, or keep them as dead letters.`
    : 'What happens when the step fails: `fail` the task (the default), or `skip` the step.';
  const actions = rows ? (['fail', 'skip', 'dead_letter'] as const) : (['fail', 'skip'] as const);
  const bounds = ['max_errors', 'max_error_rate'];
  const action = oneOf<OnError['action'], { required: true }>(words, actions, { required: true });
  const of = map(
    words,
    {
      action,
      max_errors: integer('Maximum failed rows; beyond it the step fails.', { min: 0, max: 1_000_000_000 }),
      max_error_rate: number('Maximum share of failed rows; beyond it the step fails.', { min: 0, max: 1 }),
    },
    {
      rules: rows
        ? [idleWhere('action', ['fail'], bounds, () => '"action" is fail, so the first error ends the step')]
        : [alwaysIdle(bounds, 'this step has no rows to count')],
      make: (values): OnError => ({
        action: values.action,
        maxErrors: values.max_errors,
        maxErrorRate: values.max_error_rate,
      }),
    },
  );
  const asMap = submap(of);
  return special(
    words,
    (options) => ({ anyOf: [{ enum: [...actions] }, of.schema(options)] }),
    (reader, key) => {
      const value = reader.value(key);
      const wanted = isRecord(value) ? value['action'] : value;
      if (!rows && wanted === 'dead_letter') {
        reader.wrong(key, '"dead_letter" needs rows: this step has none; use fail or skip');
        return FAIL;
      }
      if (typeof value === 'string') return { ...FAIL, action: action.read(reader, key) };
      return asMap.read(reader, key) ?? FAIL;
    },
  );
}
