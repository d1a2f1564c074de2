import { isRecord } from '../../base/json.ts';
import type { RunForeach } from '../../base/run-foreach.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { type ParsedTask, parseTask, type Task } from '../task/parse-task.ts';
import type { Step } from '../task/steps/steps.ts';

/** The steps of a task that stands for a node with `foreach_expr`: the list, and the node's task for each of its items. */
export const ITEMS_STEP = 'items';
export const ITEM_STEP = 'item';

export interface FanOut {
  readonly foreach: RunForeach;
  /** The node's `args`, with `{{ }}` over `item` and `index` besides. */
  readonly template: unknown;
  /** What `args` is in its expressions. */
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * What a node with `foreach_expr` runs: a task of one `foreach` whose items are kept apart, and in it a `run_task` step with the
 * node's task, which the run must be given by its own name. It has the name, labels and metrics of the node's task, so that the run is
 * recorded as one of that.
 */
export function fanOut(task: Task, { foreach, template, args }: FanOut): ParsedTask {
  const { name, connectors, outputs, labels, metrics } = task;
  const types = Object.entries(args).map(([arg, value]) => [arg, { type: argumentType(value) }]);
  const sums = Object.keys(outputs).map((key) => [key, `{{ steps.${ITEMS_STEP}.output.\`${key}\` }}`]);
  const item = { id: ITEM_STEP, kind: 'run_task', task: name, args: template ?? {} };
  const items = {
    id: ITEMS_STEP,
    kind: 'foreach',
    in_expr: '[]',
    concurrency: foreach.concurrency,
    steps: [item],
  };
  const document = {
    version: 1,
    name,
    connectors: Object.fromEntries(Object.entries(connectors).map(([local, { type }]) => [local, { type }])),
    args: Object.fromEntries(types),
    steps: [items],
    ...(sums.length > 0 && { outputs: Object.fromEntries(sums) }),
  };
  // JSON is YAML; expressions were checked when the template was saved.
  const parsed = parseTask(JSON.stringify(document), { checksExpressions: false });
  if (!parsed.ok) return parsed;
  const list = parseExpression(foreach.items_expr);
  if (!list.ok) return { ok: false, problems: [{ path: 'foreach_expr', message: list.problem.message }] };
  const steps = parsed.task.steps.map(
    (step): Step =>
      step.kind === 'foreach' ? { ...step, items: list.expression, keepsItemsApart: true } : step,
  );
  return { ok: true, task: { ...parsed.task, steps, labels, metrics } };
}

/** Whether a task stands for a node with `foreach_expr`. */
export function isFanOut({ steps }: Task): boolean {
  return steps.some((step) => step.kind === 'foreach' && step.keepsItemsApart);
}

function argumentType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (isRecord(value)) return 'object';
  return typeof value === 'number' || typeof value === 'boolean' ? typeof value : 'string';
}
