import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/texts-context.tsx';
import { GraphView } from '../../graph/graph-view.tsx';
import type { Dag } from '../template-kind.ts';

interface TemplateGraphProps {
  readonly dag: Dag;
}

/** The tasks of a template in the order in which a job runs them. */
export function TemplateGraph({ dag }: TemplateGraphProps): ReactNode {
  const { run } = useTexts();
  const nodes = dag.levels.flat().map((key) => nodeOf(key, dag.tasks[key]));
  return (
    <GraphView label={run.graphLabel} nodes={nodes}>
      {({ key, task, forEach }) => (
        <Link
          to="/tasks"
          search={{ q: task }}
          className="node"
          data-tone="neutral"
          data-many={forEach !== null}
        >
          <span className="node-name">
            {key}
            {forEach !== null && (
              <span className="record-id" title={forEach}>
                {' '}
                {run.forEach}
              </span>
            )}
          </span>
          <span className="node-state">{task}</span>
        </Link>
      )}
    </GraphView>
  );
}

function nodeOf(key: string, node: unknown) {
  const { task, needs, foreach_expr } = (node ?? {}) as Readonly<Record<string, unknown>>;
  return {
    key,
    task: typeof task === 'string' ? task : key,
    forEach: typeof foreach_expr === 'string' ? foreach_expr : null,
    needs: Array.isArray(needs) ? needs.filter((need) => typeof need === 'string') : [],
  };
}
