import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { Elapsed } from '../../../frame/records/moments.tsx';
import { StatusBadge } from '../../../frame/records/status-badge.tsx';
import { toneOf } from '../../../kit/widget/widget-config.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { layOutGraph, nodeHeight, nodeWidth } from './lay-out-graph.ts';
import type { TaskState } from './task-states.ts';

/** The tasks as a graph, from left to right. Each that has run leads to its run. */
export function TaskGraph({ tasks }: { readonly tasks: readonly TaskState[] }): ReactNode {
  const { run } = useTexts();
  const shape = JSON.stringify(tasks.map(({ key, needs }) => ({ key, needs })));
  const layout = useMemo(() => layOutGraph(JSON.parse(shape)), [shape]);
  const statuses = new Map(tasks.map(({ key, status }) => [key, status]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="scroller" aria-label={run.graphLabel} tabIndex={0}>
      <div className="graph" style={{ width: layout.width, height: layout.height }}>
        <svg width={layout.width} height={layout.height} aria-hidden="true">
          {layout.edges.map(({ from, to, path }) => (
            <path key={`${from} ${to}`} d={path} data-tone={toneOf(statuses.get(from))} />
          ))}
        </svg>
        <ul>
          {tasks.map((task) => {
            const { x, y } = layout.nodes.get(task.key) ?? { x: 0, y: 0 };
            return (
              <li key={task.key} style={{ left: x, top: y, width: nodeWidth, height: nodeHeight }}>
                <GraphNode task={task} />
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}

function GraphNode({ task }: { readonly task: TaskState }): ReactNode {
  const { run } = useTexts();
  const id = task.run?.id ?? task.reusedRunId;
  const content = (
    <>
      <span className="node-name">{task.key}</span>
      <span className="node-state">
        <StatusBadge status={task.status} />
        {task.run?.started_at && (
          <span>
            <Elapsed from={task.run.started_at} to={task.run.ended_at} />
          </span>
        )}
        {task.reusedRunId !== null && <span>{run.reused}</span>}
      </span>
    </>
  );
  const common = { className: 'node', 'data-tone': toneOf(task.status), title: task.taskName };
  if (id === null) return <div {...common}>{content}</div>;
  return (
    <Link to="/runs/$id" params={{ id: String(id) }} {...common}>
      {content}
    </Link>
  );
}
