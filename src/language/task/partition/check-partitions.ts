import { isRecord } from '../../../base/json.ts';
import { withArticle } from '../../../base/text/with-article.ts';
import { loadsFedBy } from '../check-cursors.ts';
import type { MethodCursor } from '../method-cursor.ts';
import type { ExtractStep } from '../steps/extract-step.ts';
import type { LoadStep } from '../steps/load/load-step.ts';
import { inputsOf, type StepBase } from '../steps/step-kind.ts';
import type { TransformStep } from '../steps/transform-step.ts';

type Step = StepBase & { readonly kind: string };

/** What the validator knows of the connectors of a task; null for what it does not know. */
export interface PartitionFacts {
  /** The connector type of an extract, and how its method takes conditions. */
  readonly methodOf: (
    step: ExtractStep,
  ) => { readonly type: string; readonly cursor: MethodCursor | undefined } | null;
  /** The connector type of a load, and the modes in which it publishes parts together. */
  readonly targetOf: (
    step: LoadStep,
  ) => { readonly type: string; readonly partModes: readonly string[] } | null;
  /** The type of a connector, and whether other executors reach the same data with it. */
  readonly reachOf: (connector: string) => { readonly type: string; readonly anywhere: boolean } | null;
  /** A step that needs all rows before it gives any. */
  readonly gathersRows: (step: Step) => boolean;
}

export interface PartitionProblem {
  readonly step: Step;
  /** From the step on. */
  readonly keys: readonly string[];
  readonly message: string;
  readonly part?: 'key';
}

type Add = (step: Step, keys: readonly string[], message: string, part?: 'key') => void;

/** What keeps the parts of an extract from being read by themselves and published together. `top`: the steps that are in no other. */
export function partitionProblems(
  steps: readonly Step[],
  top: readonly Step[],
  facts: PartitionFacts,
): readonly PartitionProblem[] {
  const problems: PartitionProblem[] = [];
  const add: Add = (step, keys, message, part) =>
    problems.push({ step, keys, message, ...(part === undefined ? {} : { part }) });
  for (const step of steps.filter((one): one is ExtractStep => one.kind === 'extract')) {
    if (step.partition === null) continue;
    if (!top.includes(step))
      add(
        step,
        ['partition'],
        'An extract with "partition" must be in the task’s own "steps", not inside another step',
        'key',
      );
    if (step.cursor !== null && !isOfFiles(step)) add(step, ['partition'], cursorWords(step), 'key');
    checkMethod(step, facts, add);
    checkShape(step, steps, facts, add);
  }
  return problems;
}

function checkMethod(step: ExtractStep, facts: PartitionFacts, add: Add): void {
  const found = facts.methodOf(step);
  if (found === null) return;
  const { cursor: method, type } = found;
  if (step.partition?.files != null) {
    checkFiles(step, found, add);
    return;
  }
  // Its absence is reported by itself.
  if (step.partition?.by == null) return;
  if (method?.kind !== 'conditions' || method.divides !== true) {
    const message = `"${step.method}" of a ${type} connector cannot be limited to a part: use "list" of a SQL database${filesHint(method)}`;
    add(step, ['partition'], message, 'key');
    return;
  }
  const args = isRecord(step.args.source) ? step.args.source : {};
  for (const name of [method.limit, method.sort]) {
    const value = name === undefined ? null : (args[name] ?? null);
    if (name === undefined || value === null || (Array.isArray(value) && value.length === 0)) continue;
    add(step, ['args', name], `"${name}" would apply to each part separately: remove it`, 'key');
  }
  const by = step.partition?.by ?? '';
  const { columns } = args;
  if (Array.isArray(columns) && step.args.names.size === 0 && columns.length > 0 && !columns.includes(by))
    add(step, ['args', 'columns'], `"columns" must include "${by}", the partition column`);
}

function filesHint(method: MethodCursor | undefined): string {
  return method?.kind === 'conditions' && method.files === true
    ? ', or divide by whole files: "partition: {files: 8}"'
    : '';
}

/** Parts of files have the cursor of the files alone: what a file holds is read as a whole. */
function isOfFiles({ partition, cursor, args }: ExtractStep): boolean {
  if (partition?.files == null) return false;
  const source = isRecord(args.source) ? args.source : {};
  const column = source['modified_column'];
  return args.names.size > 0 || column === cursor?.field;
}

function cursorWords({ partition }: ExtractStep): string {
  return partition?.files == null
    ? '"partition" and "cursor" cannot be combined: parts read the whole table; keep one'
    : 'A cursor beside "partition: {files}" must be on the "modified_column" of "args": parts read whole files';
}

function checkFiles(
  step: ExtractStep,
  { cursor: method, type }: { readonly type: string; readonly cursor: MethodCursor | undefined },
  add: Add,
): void {
  if (method?.kind !== 'conditions' || method.files !== true) {
    const use =
      method?.kind === 'conditions' && method.divides === true
        ? 'use "by" with "parts" or "values"'
        : 'use "read" of a connector of files, such as csv or parquet';
    add(
      step,
      ['partition', 'files'],
      `"${step.method}" of a ${type} connector reads no files: ${use}`,
      'key',
    );
    return;
  }
  const args = isRecord(step.args.source) ? step.args.source : {};
  if (step.args.names.size > 0 || (args['files'] ?? null) !== null) return;
  add(
    step,
    ['partition', 'files'],
    '"files" shares out many files: name them by a pattern, "files" in "args"',
    'key',
  );
}

/** Rows of a part pass one after another from the extract to the one load, and none of them needs those of another part. */
function checkShape(step: ExtractStep, steps: readonly Step[], facts: PartitionFacts, add: Add): void {
  const fed = new Set([step.id]);
  for (const one of steps) {
    if (!inputsOf(one).some((id) => fed.has(id))) continue;
    fed.add(one.id);
    if (one.kind === 'load') continue;
    if (one.kind === 'transform' && !facts.gathersRows(one)) continue;
    const what = one.kind === 'transform' ? 'operations that need all rows' : `steps of kind ${one.kind}`;
    const message = `The rows of "${step.id}" come in parts, which ${what} cannot process: load them first, then read the table in a separate extract`;
    add(one, ['input'], message);
  }
  const loads = loadsFedBy(steps, step.id);
  const [load, second] = loads;
  if (load === undefined) {
    add(
      step,
      ['partition'],
      '"partition" needs a load that publishes the parts: no load reads these rows',
      'key',
    );
    return;
  }
  if (second !== undefined)
    add(
      second,
      ['input'],
      `The parts of "${step.id}" can be published by only one load, already "${load.id}": give "${second.id}" its own extract`,
    );
  checkLoad(step, load, facts, add);
  checkSlots(
    step,
    steps.filter(({ id }) => fed.has(id)),
    facts,
    add,
  );
}

/** The connectors of a step that parts pass through. */
export function partConnectors(step: Pick<Step, 'kind'>): readonly string[] {
  if (step.kind === 'extract' || step.kind === 'load') return [(step as ExtractStep | LoadStep).connector];
  if (step.kind !== 'transform') return [];
  return (step as TransformStep).ops.flatMap((op) => (op.op === 'lookup' ? [op.connector] : []));
}

/** More slots than that of the run act only where another executor can do all that the steps of the parts do. */
function checkSlots(step: ExtractStep, fed: readonly Step[], { reachOf }: PartitionFacts, add: Add): void {
  const slots = step.partition?.slots ?? 1;
  if (slots <= 1) return;
  const refuse = (why: string) =>
    add(
      step,
      ['partition', 'slots'],
      `"slots: ${slots}" has no effect: ${why}, so all parts stay on the run’s executor. Remove "slots", or set it to 1`,
      'key',
    );
  const letters = fed.find(({ onError }) => onError.action === 'dead_letter');
  if (letters !== undefined) refuse(`"${letters.id}" keeps failed rows as dead letters`);
  for (const name of new Set(fed.flatMap(partConnectors))) {
    const found = reachOf(name);
    if (found?.anywhere === false) refuse(`"${name}" (${found.type}) may be local to one executor`);
  }
}

function checkLoad(step: ExtractStep, load: LoadStep, facts: PartitionFacts, add: Add): void {
  if (load.deleteMissing !== null)
    add(
      load,
      ['delete_missing'],
      `"delete_missing" cannot be used with the parts of "${step.id}": use "mode: replace"`,
      'key',
    );
  if (load.verify !== null)
    add(
      load,
      ['verify'],
      `"verify" cannot be used with the parts of "${step.id}": compare with a step of kind verify behind the load`,
      'key',
    );
  if (load.newTypes === 'evolve')
    add(
      load,
      ['schema', 'types'],
      `"evolve" cannot be used with the parts of "${step.id}"; use freeze, variant or discard_row`,
    );
  const target = facts.targetOf(load);
  if (target === null || target.partModes.includes(load.mode)) return;
  const { type, partModes } = target;
  const message =
    partModes.length === 0
      ? `${withArticle(type)} connector cannot publish the parts of "${step.id}" together: remove its "partition"`
      : `${withArticle(type)} connector cannot publish the parts of "${step.id}" with mode "${load.mode}"; use ${partModes.join(', ')}`;
  add(load, [partModes.length === 0 ? 'connector' : 'mode'], message);
}
