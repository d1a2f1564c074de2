import type { PlainOp } from '../../../src/engine/ops/compile-ops.ts';
import { parseTask } from '../../../src/language/task/parse-task.ts';

/** Operations as a task writes them. */
export function parseOps(ops: readonly unknown[]): readonly PlainOp[] {
  const parsed = parseTask(
    JSON.stringify({
      version: 1,
      name: 'ops',
      connectors: { source: { type: 'csv' } },
      steps: [
        { id: 'read', kind: 'extract', connector: 'source', method: 'read' },
        { id: 'shape', kind: 'transform', input: 'read', ops: ops.length === 0 ? [{ drop: ['none'] }] : ops },
        { id: 'write', kind: 'load', input: 'shape', connector: 'source', object: 'out' },
      ],
    }),
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const step = parsed.task.steps[1];
  if (step?.kind !== 'transform') throw new Error('no transform');
  return step.ops as readonly PlainOp[];
}
