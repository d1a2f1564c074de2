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
      {({ key, task }) => (
        <Link to="/tasks" search={{ q: task }} className="node" data-tone="neutral">
          <span className="node-name">{key}</span>
          <span className="node-state">{task}</span>
        </Link>
      )}
    </GraphView>
  );
}

function nodeOf(key: string, node: unknown) {
  const { task, needs } = (node ?? {}) as { readonly task?: unknown; readonly needs?: unknown };
  return {
    key,
    task: typeof task === 'string' ? task : key,
    needs: Array.isArray(needs) ? needs.filter((need) => typeof need === 'string') : [],
  };
}
