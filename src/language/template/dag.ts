import type { Json } from '../../base/json.ts';
import type { TaskNode } from './task-node.ts';

/** The graph as the API shows it. */
export interface Dag {
  readonly tasks: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly levels: readonly (readonly string[])[];
}

/**
 * Kahn layering: a node's level is one more than the highest of those it needs; keys are sorted within a level. Nodes of a cycle, and
 * those behind it, are left out, so a graph with a cycle has fewer keys in its levels than nodes.
 */
export function layerNodes(
  nodes: Readonly<Record<string, Pick<TaskNode, 'needs'>>>,
): readonly (readonly string[])[] {
  const waiting = new Map<string, number>();
  const followers = new Map<string, string[]>();
  for (const [key, node] of Object.entries(nodes)) {
    const needs = node.needs.filter((need) => Object.hasOwn(nodes, need));
    waiting.set(key, needs.length);
    for (const need of needs) followers.set(need, [...(followers.get(need) ?? []), key]);
  }
  const levels: string[][] = [];
  let level = [...waiting.keys()].filter((key) => waiting.get(key) === 0);
  while (level.length > 0) {
    levels.push(level.sort());
    const next: string[] = [];
    for (const key of level.flatMap((done) => followers.get(done) ?? [])) {
      const left = (waiting.get(key) ?? 0) - 1;
      waiting.set(key, left);
      if (left === 0) next.push(key);
    }
    level = next;
  }
  return levels;
}

/** The `dag` of a template or job: JSON only, expressions as text. */
export function dagOf(template: {
  readonly tasks: Readonly<Record<string, TaskNode>>;
  readonly levels: Dag['levels'];
}): Dag {
  const tasks: Record<string, Record<string, Json>> = {};
  for (const [key, node] of Object.entries(template.tasks)) {
    tasks[key] = {
      task: node.task,
      needs: [...node.needs],
      connectors: { ...node.connectors },
      args: node.args.source as Json,
      when: node.when?.source ?? null,
      run_if: node.runIf,
      allow_failure: node.allowFailure,
      foreach_expr: node.foreach?.items.source ?? null,
      concurrency: node.foreach?.concurrency ?? null,
      timeout_seconds: node.timeoutMs === null ? null : node.timeoutMs / 1_000,
    };
  }
  return { tasks, levels: template.levels };
}
