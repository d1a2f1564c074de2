import { AppError, validationError } from '../../base/errors.ts';
import type { TemplateInfo } from '../../threads/messages/definition-info.ts';
import { decideNodes, type ReusedNode, type ReusedNodes } from './job-run.ts';

/** `start`: every node. `failed`: those that failed or never ran, and what follows them. Else a node's key: it, and what follows. */
export type RerunFrom = 'start' | 'failed' | (string & {});

/**
 * The nodes whose earlier outcome counts in a rerun; the others are run again. Pure. A node that has no outcome is always run, and
 * with a node all that follow it. `CONFLICT` where nothing failed; `VALIDATION_ERROR` for a key that is not there, or whose
 * needs have failed.
 */
export function reusedNodes(
  plan: TemplateInfo,
  outcomes: ReadonlyMap<string, ReusedNode>,
  from: RerunFrom,
): ReusedNodes {
  if (from === 'start') return {};
  const keys = plan.tasks.map((node) => node.key);
  if (from !== 'failed' && !keys.includes(from)) throw noSuchTask(from, keys);
  const again = new Set(
    keys.filter((key) => {
      const outcome = outcomes.get(key);
      return key === from || outcome === undefined || (from === 'failed' && hasFailed(outcome));
    }),
  );
  if (again.size === 0)
    throw new AppError(
      'CONFLICT',
      'No task of the job run has failed: for "from", give "start" or a task’s key',
    );
  // Nodes come in any order, so what follows is gathered until nothing is added.
  for (let size = -1; size !== again.size; ) {
    size = again.size;
    for (const node of plan.tasks) if (node.needs.some((need) => again.has(need))) again.add(node.key);
  }
  const kept = [...outcomes].filter(([key]) => keys.includes(key) && !again.has(key));
  const decision = decideNodes(plan, new Map(kept)).find(({ node }) => node.key === from);
  if (decision?.skip === 'upstream_failed') throw cannotStart(from);
  return Object.fromEntries(kept);
}

function hasFailed({ status, reason }: ReusedNode): boolean {
  return (
    status === 'error' || status === 'cancelled' || (status === 'skipped' && reason === 'upstream_failed')
  );
}

function noSuchTask(from: string, keys: readonly string[]): AppError {
  const message = `There is no task "${from}" in the job run; use "start", "failed" or one of ${keys.map((key) => `"${key}"`).join(', ')}`;
  return validationError([{ path: 'from', message }]);
}

function cannotStart(from: string): AppError {
  const message = `A task that "${from}" needs has failed: rerun from that one, or from "failed"`;
  return validationError([{ path: 'from', message }]);
}
