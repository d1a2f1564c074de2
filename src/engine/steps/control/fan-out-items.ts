import { isRecord } from '../../../base/json.ts';
import { formatCount } from '../../../base/text/format-figures.ts';
import { everyStep } from '../../../language/task/parse-task.ts';
import type { ForeachStep } from '../../../language/task/steps/control/foreach-step.ts';
import { stateNames } from '../../../language/task/steps/steps.ts';
import type { TaskPlan } from '../../plan/plan-task.ts';
import { RunFault } from '../../run-fault.ts';
import { type RunState, runScope } from '../../run-state.ts';
import { hashOf } from './item-states.ts';

/** Items that one run of a node may have. */
export const FAN_OUT_ITEMS_MAX = 10_000;
const KEY_CHARS_MAX = 100;
/** What names an item that is an object; the first that it has. */
const KEY_FIELDS = ['key', 'id', 'name'];
const PLAIN_PATH = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;
const PRINTABLE = /^[^\p{Cc}]+$/u;

export interface KeyedItem {
  readonly value: unknown;
  readonly index: number;
  /** Short, and no other item's: names it in the record and the log, and what is kept for it. */
  readonly key: string;
}

/** The items of a node's `foreach_expr`. Throws a `RunFault` where it gives no list, too many items, or two that keep the same cursors. */
export async function readItems(step: ForeachStep, run: RunState): Promise<readonly KeyedItem[]> {
  const scope = runScope(run);
  const found = (await step.items?.evaluate(scope)) ?? [];
  const source = step.items?.source ?? '';
  if (!Array.isArray(found) && isWholeValue(source, scope)) {
    const type = isRecord(found) ? 'an object' : `a ${typeof found}`;
    throw refused(step, run, `must give a list, not ${type}: ${source}`);
  }
  // Of a list with one item JSONata gives that item.
  const values: readonly unknown[] = Array.isArray(found) ? found : [found];
  if (values.length > FAN_OUT_ITEMS_MAX) {
    const most = formatCount(FAN_OUT_ITEMS_MAX);
    throw refused(step, run, `gives ${formatCount(values.length)} items; a run has at most ${most}`);
  }
  return keyed(step, run, values);
}

function keyed(step: ForeachStep, run: RunState, values: readonly unknown[]): readonly KeyedItem[] {
  const keeps = keepsState(run.plan);
  const taken = new Map<string, number>();
  return values.map((value, index) => {
    const key = keyOf(value);
    const other = taken.get(key);
    if (other === undefined) {
      taken.set(key, index);
      return { value, index, key };
    }
    if (keeps)
      throw refused(
        step,
        run,
        `gives the items ${other} and ${index} with the same key "${key}", under which the task keeps its cursors and values: give each a "key", "id" or "name" of its own`,
      );
    return { value, index, key: `${key}#${index}` };
  });
}

/** What names an item to people and from run to run: itself, its `key`, `id` or `name`, or else a hash of it. */
export function keyOf(value: unknown): string {
  const named = isRecord(value)
    ? KEY_FIELDS.map((field) => value[field]).find((own) => keyText(own) !== null)
    : value;
  return keyText(named) ?? `#${hashOf(value)}`;
}

function keyText(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null;
  const text = String(value);
  return text.length <= KEY_CHARS_MAX && PRINTABLE.test(text) ? text : null;
}

/** Whether a task, or one that it runs, remembers something from run to run. */
function keepsState({ task, children }: TaskPlan): boolean {
  const own = everyStep(task).some(
    (step) => (step.kind === 'extract' && step.cursor !== null) || stateNames(step).length > 0,
  );
  return own || [...children.values()].some(({ plan }) => keepsState(plan));
}

/** Whether `source` names one value, and not something of each entry of a list. */
function isWholeValue(source: string, scope: Readonly<Record<string, unknown>>): boolean {
  const path = source.trim();
  if (!PLAIN_PATH.test(path)) return false;
  let value: unknown = scope;
  for (const name of path.split('.')) {
    if (!isRecord(value)) return false;
    value = value[name];
  }
  return !Array.isArray(value);
}

function refused({ id }: ForeachStep, { input }: RunState, problem: string): RunFault {
  const key = input.run['task_key'];
  const place = typeof key === 'string' ? `tasks.${key}.foreach_expr` : 'foreach_expr';
  return new RunFault('VALIDATION_ERROR', `"${place}" ${problem}`, { reason: 'config_error', stepId: id });
}
