import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DefinitionActions, type Verb } from '../../../frame/definitions/definition-actions.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { Task } from '../tasks-screen.tsx';

const route = getRouteApi('/signed-in/tasks/$id');

/** Archive, activate and delete. */
export function TaskActions({ task }: { readonly task: Task }): ReactNode {
  const api = useApi();
  const navigate = route.useNavigate();
  const { tasks } = useTexts();
  const params = { path: { id: task.id } };
  const act = (verb: Verb): Promise<unknown> => {
    if (verb === 'archive') return api.POST('/api/tasks/{id}/archive', { params });
    if (verb === 'activate') return api.POST('/api/tasks/{id}/activate', { params });
    const header = { 'If-Match': `"${task.version}"` };
    return api.DELETE('/api/tasks/{id}', { params: { ...params, header } });
  };
  return (
    <DefinitionActions
      noun="task"
      saved={task}
      hints={tasks.verbHints}
      act={act}
      onRemoved={() => void navigate({ to: '/tasks' })}
    />
  );
}
