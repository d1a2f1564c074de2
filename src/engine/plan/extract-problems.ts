import type { Problem } from '../../base/errors.ts';
import type { Driver } from '../../drivers/driver.ts';
import { cursorProblems, type FindMethodCursor } from '../../language/task/check-cursors.ts';
import type { Task } from '../../language/task/parse-task.ts';
import { partitionProblems } from '../../language/task/partition/check-partitions.ts';
import { gathersRows, type Step } from '../../language/task/steps/steps.ts';

type Connectors = ReadonlyMap<string, { readonly driver: Driver }>;

/** What keeps the extracts of a task from reading by their cursors, and in their parts. `steps`: all of the task. */
export function extractProblems(
  task: Task,
  steps: readonly Step[],
  connectors: Connectors,
): readonly Problem[] {
  const methodOf = cursorsOf(connectors);
  const parted = partitionProblems(steps, task.steps, {
    methodOf,
    targetOf: ({ connector }) => partsOf(connectors.get(connector)?.driver),
    reachOf: (connector) => partsOf(connectors.get(connector)?.driver),
    gathersRows: (step) => gathersRows(step as Step),
  });
  return [...cursorProblems(steps, methodOf), ...parted].map(({ step, keys, message }) => ({
    path: ['steps', step.id, ...keys].join('.'),
    message,
  }));
}

function cursorsOf(connectors: Connectors): FindMethodCursor {
  return (step) => {
    const driver = connectors.get(step.connector)?.driver;
    const method = driver?.methods.find(({ name }) => name === step.method);
    return driver === undefined || method === undefined ? null : { type: driver.type, cursor: method.cursor };
  };
}

function partsOf(driver: Driver | undefined) {
  if (driver === undefined) return null;
  const { parts = [], anywhere = false } = driver.capabilities;
  return { type: driver.type, partModes: parts, anywhere: anywhere !== false };
}
