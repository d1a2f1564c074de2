import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { Elapsed } from '../../../frame/records/moments.tsx';
import { reasonText } from '../../../frame/records/reason.ts';
import { StatusBadge } from '../../../frame/records/status-badge.tsx';
import { formatValue } from '../../../kit/format-value.ts';
import { useCatalogue } from '../../../texts/texts-context.tsx';
import type { TaskState } from './task-states.ts';

/** The same tasks in a table, with their figures. */
export function TaskTable({ tasks }: { readonly tasks: readonly TaskState[] }): ReactNode {
  const { run, runs } = useCatalogue().texts;
  return (
    <table className="list">
      <ListHead
        columns={[
          { label: run.task },
          { label: runs.status },
          { label: run.needs, isWide: true },
          { label: run.version, isWide: true, isFigure: true },
          { label: run.waited, isWide: true, isFigure: true },
          { label: run.ran, isWide: true, isFigure: true },
          { label: runs.rows, isFigure: true },
        ]}
      />
      <tbody>
        {tasks.map((task) => (
          <TaskRow key={task.key} task={task} />
        ))}
      </tbody>
    </table>
  );
}

function TaskRow({ task }: { readonly task: TaskState }): ReactNode {
  const { texts, locale } = useCatalogue();
  const { run } = task;
  const id = run?.id ?? task.reusedRunId;
  return (
    <tr>
      <th scope="row">
        {id === null ? (
          task.key
        ) : (
          <Link to="/runs/$id" params={{ id: String(id) }}>
            {task.key}
          </Link>
        )}
        {run?.error && <p className="record-error">{run.error.message}</p>}
        {run?.status === 'skipped' && <p className="record-facts">{reasonText(texts, run.reason)}</p>}
        {run !== null && run.items.failed > 0 && (
          <p className="record-facts">
            <Link to="/runs/$id" params={{ id: String(run.id) }} hash="letters">
              {texts.runs.refused(run.items.failed)}
            </Link>
          </p>
        )}
      </th>
      <td>
        <StatusBadge status={task.status} />
      </td>
      <td className="wide-only">{task.needs.join(', ')}</td>
      <td className="wide-only" data-align="right">
        {run?.task_version}
      </td>
      <td className="wide-only" data-align="right">
        {run && <Elapsed from={run.created_at} to={run.started_at ?? run.ended_at} />}
      </td>
      <td className="wide-only" data-align="right">
        {run && <Elapsed from={run.started_at} to={run.ended_at} />}
      </td>
      <td data-align="right">{run && formatValue(rowsOf(run), 'integer', { locale })}</td>
    </tr>
  );
}

/** What has arrived so far, while it runs. */
function rowsOf(run: NonNullable<TaskState['run']>): number {
  return run.ended_at === null ? (run.progress?.rows_out ?? 0) : run.items.out;
}
