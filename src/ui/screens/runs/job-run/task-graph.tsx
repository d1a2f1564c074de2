import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Elapsed } from '../../../frame/records/moments.tsx';
import { StatusBadge } from '../../../frame/records/status-badge.tsx';
import { toneOf } from '../../../kit/widget/widget-config.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { GraphView } from '../../graph/graph-view.tsx';
import type { TaskState } from './task-states.ts';

/** The tasks as a graph. Each that has run leads to its run. */
export function TaskGraph({ tasks }: { readonly tasks: readonly TaskState[] }): ReactNode {
  const { run } = useTexts();
  return (
    <GraphView label={run.graphLabel} nodes={tasks} toneOf={({ status }) => toneOf(status)}>
      {(task) => <TaskNode task={task} />}
    </GraphView>
  );
}

function TaskNode({ task }: { readonly task: TaskState }): ReactNode {
  const { run } = useTexts();
  const id = task.run?.id ?? task.reusedRunId;
  const content = (
    <>
      <span className="node-name">
        {task.key}
        {task.forEach !== null && (
          <span className="record-id" title={task.forEach}>
            {' '}
            {run.forEach}
          </span>
        )}
      </span>
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
  const common = {
    className: 'node',
    'data-tone': toneOf(task.status),
    'data-many': task.forEach !== null,
    title: task.taskName,
  };
  if (id === null) return <div {...common}>{content}</div>;
  return (
    <Link to="/runs/$id" params={{ id: String(id) }} {...common}>
      {content}
    </Link>
  );
}
