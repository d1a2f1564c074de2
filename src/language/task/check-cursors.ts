import { isRecord } from '../../base/json.ts';
import type { MethodCursor } from './method-cursor.ts';
import type { ExtractStep } from './steps/extract-step.ts';
import type { LoadStep } from './steps/load/load-step.ts';
import { inputsOf, type StepBase } from './steps/step-kind.ts';

type Step = StepBase & { readonly kind: string };

/** The connector type of an extract, and how its method takes a cursor; null where the type or the method is not known. */
export type FindMethodCursor = (
  step: ExtractStep,
) => { readonly type: string; readonly cursor: MethodCursor | undefined } | null;

export interface CursorProblem {
  readonly step: ExtractStep;
  /** From the step on. */
  readonly keys: readonly string[];
  readonly message: string;
  readonly part?: 'key';
}

/**
 * Whether the arguments of an extract make the condition of its cursor themselves: they read `state.cursor`, or `state` as a whole, and
 * not only values that `set_state` keeps.
 */
export function readsCursor({ args }: ExtractStep): boolean {
  if (args.names.has('*')) return true;
  if (!args.names.has('state')) return false;
  const expressions = [...JSON.stringify(args.source).matchAll(/\{\{(.*?)\}\}/g)].map(([, text]) => text);
  const reads = [...expressions.join(' ').matchAll(STATE)];
  return reads.some(([, name]) => name === undefined || name === 'cursor');
}

/** The name `state` by itself, and what is read of it. */
const STATE = /(?<![.\w$`])state\b(?:\s*\.\s*`?([A-Za-z_]\w*))?/g;

/** The loads that get the rows of a step. */
export function loadsFedBy(steps: readonly Step[], id: string): readonly LoadStep[] {
  const fed = new Set([id]);
  for (const step of steps) if (inputsOf(step).some((input) => fed.has(input))) fed.add(step.id);
  return steps.filter((step): step is LoadStep => step.kind === 'load' && fed.has(step.id));
}

/** What keeps the cursors of a task from acting: a method that takes no condition, and keys beside which others have no effect. */
export function cursorProblems(
  steps: readonly Step[],
  findCursor: FindMethodCursor,
): readonly CursorProblem[] {
  const problems: CursorProblem[] = [];
  for (const step of steps.filter((one): one is ExtractStep => one.kind === 'extract')) {
    if (step.cursor === null) continue;
    const other = cursorBeside(steps, step);
    if (other !== null) {
      const message = `"${other}" already has a cursor and the query reads both, but one load can advance only one cursor; let one extract read everything`;
      problems.push({ step, keys: ['cursor'], message, part: 'key' });
    }
    const deleting = loadsFedBy(steps, step.id).find(({ deleteMissing }) => deleteMissing !== null);
    if (deleting !== undefined) {
      const message = `A cursor reads only new rows, so "${deleting.id}" would delete all others as missing: remove "cursor" or its "delete_missing"`;
      problems.push({ step, keys: ['cursor'], message, part: 'key' });
    }
    const found = findCursor(step);
    if (found === null) continue;
    const { type, cursor } = found;
    const add: Add = (keys, message, part) =>
      problems.push({ step, keys, message, ...(part === undefined ? {} : { part }) });
    if (step.cursor.isState || cursor?.kind === 'state') checkState(step, found, add);
    else if (readsCursor(step)) checkByHand(step, add);
    else if (cursor?.kind === 'conditions') checkConditions(step, cursor, add);
    else add(['cursor'], unlimited(step, type, cursor));
    checkRepeats(steps, step, add);
  }
  return problems;
}

/** An earlier extract with a cursor whose rows meet those of this one in a query, directly or not. */
function cursorBeside(steps: readonly Step[], step: ExtractStep): string | null {
  const meets = new Set([step.id]);
  for (let before = 0; before !== meets.size; ) {
    before = meets.size;
    for (const one of steps) {
      const linked = inputsOf(one);
      if (!meets.has(one.id) && !linked.some((id) => meets.has(id))) continue;
      for (const id of [one.id, ...linked]) meets.add(id);
    }
  }
  const extracts = steps.filter((one): one is ExtractStep => one.kind === 'extract');
  const earlier = extracts.slice(0, extracts.indexOf(step));
  return earlier.find(({ id, cursor }) => cursor !== null && meets.has(id))?.id ?? null;
}

type Add = (keys: readonly string[], message: string, part?: 'key') => void;
type Spec = NonNullable<ExtractStep['cursor']>;

function specOf(step: ExtractStep): Spec {
  return step.cursor as Spec;
}

function unlimited(step: ExtractStep, type: string, method: MethodCursor | undefined): string {
  const { field } = specOf(step);
  const example =
    method?.kind === 'by_hand' ? method.example.replaceAll('<field>', field) : 'since: "{{ state.cursor }}"';
  return `"${step.method}" of a ${type} connector cannot be filtered by a cursor, so every run would read all rows: use "state.cursor" in "args", such as ${example}`;
}

/** A state means something to its source alone. */
function checkState(
  step: ExtractStep,
  { type, cursor }: NonNullable<ReturnType<FindMethodCursor>>,
  add: Add,
) {
  const method = `"${step.method}" of ${anOrA(type)} connector`;
  if (cursor?.kind !== 'state')
    add(
      ['cursor', 'state'],
      `${method} keeps no state of its own: use "field" and "type" instead of "state"`,
    );
  else if (!specOf(step).isState)
    add(['cursor'], `${method} tracks new rows with its own state: write "cursor: {state: true}"`);
  else if (readsCursor(step))
    add(
      ['args'],
      '"state.cursor" is the source’s state, which is passed automatically: remove it from "args"',
    );
}

function anOrA(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** The arguments limit what is read, so that only they can. */
function checkByHand(step: ExtractStep, add: Add): void {
  const { initial, end, order, window, param } = specOf(step);
  if (initial === null)
    add(
      ['cursor'],
      '"initial" is required when "args" use "state.cursor": in the first run it would be null, and a condition on null matches nothing',
    );
  const why = '"args" use "state.cursor", so they alone decide what is read';
  if (end !== null) add(['cursor', 'end'], `"end" has no effect: ${why}`, 'key');
  if (order !== null) add(['cursor', 'order'], `"order" has no effect: ${why}`, 'key');
  if (window !== null) add(['cursor', 'window'], `"window" has no effect: ${why}`, 'key');
  if (param !== null) add(['cursor', 'param'], `"param" has no effect: ${why}`, 'key');
}

function checkConditions(
  step: ExtractStep,
  method: Extract<MethodCursor, { kind: 'conditions' }>,
  add: Add,
): void {
  const { type, order, field, window } = specOf(step);
  const args = isRecord(step.args.source) ? step.args.source : {};
  const has = (name: string | undefined) => name !== undefined && (args[name] ?? null) !== null;
  if (method.sort === undefined) {
    if (order !== null)
      add(
        ['cursor', 'order'],
        `"order" has no effect: "${step.method}" reads rows in their stored order`,
        'key',
      );
  } else if (has(method.sort) && order !== null) {
    add(['cursor', 'order'], `"order" has no effect: "${method.sort}" of "args" orders the rows`, 'key');
  } else if (type === 'string' && (order === 'none' || has(method.sort))) {
    const at = order === 'none' ? ['cursor', 'order'] : ['args', method.sort];
    add(
      at,
      `A cursor of type string needs rows ordered by "${field}": only the source knows its text collation`,
    );
  }
  if (window !== null && (method.sort === undefined || order === 'none' || has(method.sort))) {
    const message = `"window" needs rows ordered by "${field}", which this read does not provide`;
    add(['cursor', 'window'], message, 'key');
  }
  if (method.limit !== undefined && has(method.limit))
    add(
      ['args', method.limit],
      `"${method.limit}" with a cursor would skip rows with the same "${field}" as the last one read`,
      'key',
    );
  checkParam(step, method, add, has(method.param));
  const { columns } = args;
  if (Array.isArray(columns) && step.args.names.size === 0 && columns.length > 0 && !columns.includes(field))
    add(['args', 'columns'], `"columns" must include "${field}", the cursor field`);
}

function checkParam(
  step: ExtractStep,
  { param: argument }: Extract<MethodCursor, { kind: 'conditions' }>,
  add: Add,
  isGiven: boolean,
): void {
  if (specOf(step).param === null) return;
  if (argument === undefined)
    add(
      ['cursor', 'param'],
      `"param" has no effect: "${step.method}" applies the cursor condition itself; only HTTP requests have parameters`,
      'key',
    );
  else if (isGiven)
    add(['cursor', 'param'], `"param" has no effect: "${argument}" of "args" names the parameter`, 'key');
}

/** Rows that every run reads again are harmless where a key tells them; appended they would stand there twice. */
function checkRepeats(steps: readonly Step[], step: ExtractStep, add: Add): void {
  const { lookbackMs, onMissing } = specOf(step);
  const append = loadsFedBy(steps, step.id).find(({ mode }) => mode === 'append');
  if (append === undefined) return;
  const twice = `, and "${append.id}" would append them again; use "merge" with a key`;
  if (lookbackMs > 0) add(['cursor', 'lookback'], `"lookback" rereads rows${twice}`, 'key');
  if (onMissing === 'include')
    add(['cursor', 'on_missing'], `Every run rereads the rows without a value${twice}`);
}
