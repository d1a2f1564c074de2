import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { DefinitionActions, type Verb } from '../../../frame/definitions/definition-actions.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { Icon } from '../../../kit/icon.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { Task } from '../tasks-screen.tsx';
import { RunOnceDialog } from '../try/run-once-dialog.tsx';

const route = getRouteApi('/signed-in/tasks/$id');

/** Run once, put it into a job template, archive, activate and delete. */
export function TaskActions({ task }: { readonly task: Task }): ReactNode {
  const api = useApi();
  const navigate = route.useNavigate();
  const { tasks, templates } = useTexts();
  const [isRunning, setRunning] = useState(false);
  const mayRun = useMay('operator');
  const mayChange = useMay('editor');
  const params = { path: { id: task.id } };
  const act = (verb: Verb): Promise<unknown> => {
    if (verb === 'archive') return api.POST('/api/tasks/{id}/archive', { params });
    if (verb === 'activate') return api.POST('/api/tasks/{id}/activate', { params });
    const header = { 'If-Match': `"${task.version}"` };
    return api.DELETE('/api/tasks/{id}', { params: { ...params, header } });
  };
  return (
    <>
      {mayRun && task.status === 'active' && (
        <button type="button" className="button" onClick={() => setRunning(true)}>
          <Icon name="play" />
          {tasks.run}
        </button>
      )}
      {mayChange && task.status === 'active' && (
        <Link to="/templates/new" search={{ task: task.id }} className="button" data-style="secondary">
          <Icon name="plus" />
          {templates.new}
        </Link>
      )}
      {mayChange && (
        <DefinitionActions
          noun="task"
          saved={task}
          hints={tasks.verbHints}
          act={act}
          onRemoved={() => void navigate({ to: '/tasks' })}
        />
      )}
      {isRunning && <RunOnceDialog task={task} onClose={() => setRunning(false)} />}
    </>
  );
}
