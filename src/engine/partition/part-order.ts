import { isRecord } from '../../base/json.ts';
import { partConnectors } from '../../language/task/partition/check-partitions.ts';
import { SLOTS_DEFAULT } from '../../language/task/partition/partition.ts';
import type { ExtractStep } from '../../language/task/steps/extract-step.ts';
import type { PlannedConnector } from '../plan/plan-task.ts';
import { type RunState, runScope } from '../run-state.ts';
import type { Divided } from './divided.ts';
import type { SavedPlan } from './part-plan.ts';

/** What is written down for others is no longer than this, in UTF-16 units. */
const ORDER_CHARS_MAX = 256 * 1024;

/** What another executor needs to work on parts besides the run's specification. */
export interface PartOrder {
  readonly plan: SavedPlan;
  /** The steps of the pipeline that run. */
  readonly steps: readonly string[];
  /** What their expressions read. */
  readonly scope: {
    readonly args: Readonly<Record<string, unknown>>;
    readonly run: RunState['input']['run'];
    readonly state: unknown;
    readonly steps: unknown;
  };
}

/** The order, or why all parts stay with the executor of the run; null where nobody asked for more. */
export function orderOf(
  divided: Divided,
  run: RunState,
  plan: SavedPlan,
): { readonly order: PartOrder } | { readonly local: string | null } {
  const { steps, extract } = divided;
  if (run.ports.parts === undefined || slotsOf(extract) <= 1) return { local: null };
  const local = whyLocal(divided, run);
  if (local !== null) return { local };
  const scope = runScope(run);
  const order = {
    plan,
    steps: steps.map(({ id }) => id),
    scope: { args: run.plan.args, run: run.input.run, state: scope['state'], steps: scope['steps'] },
  };
  if (JSON.stringify(order).length <= ORDER_CHARS_MAX) return { order };
  const what =
    plan.files === undefined
      ? 'the results of earlier steps'
      : 'the list of files, or the results of earlier steps,';
  return { local: `${what} are too large to be handed over` };
}

/** How many executor slots may work on the parts. */
export function slotsOf({ partition }: ExtractStep): number {
  return partition === null ? 1 : (partition.slots ?? SLOTS_DEFAULT);
}

function whyLocal({ steps }: Divided, run: RunState): string | null {
  if (run.place !== '') return 'the step belongs to a task that another one runs';
  const letters = steps.find(({ onError }) => onError.action === 'dead_letter');
  if (letters !== undefined) return `"${letters.id}" keeps failed rows as dead letters`;
  for (const step of steps)
    for (const name of partConnectors(step)) {
      const found = run.plan.connectors.get(name);
      if (found !== undefined && !isReachable(found))
        return `"${name}" (${found.driver.type}) may be on this executor's machine alone`;
    }
  return null;
}

/** A path with a scheme leads off the machine. */
function isReachable({ driver, config }: PlannedConnector): boolean {
  const { anywhere = false } = driver.capabilities;
  if (anywhere !== 'by_path') return anywhere;
  return isRecord(config) && /^[a-z0-9]+:\/\//.test(String(config['path']));
}

export function isPartOrder(value: unknown): value is PartOrder {
  return (
    isRecord(value) && isRecord(value['plan']) && Array.isArray(value['steps']) && isRecord(value['scope'])
  );
}
