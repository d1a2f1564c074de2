import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../../frame/records/confirm-dialog.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { Task } from '../tasks-screen.tsx';

type Verb = 'archive' | 'activate' | 'remove';
const route = getRouteApi('/signed-in/tasks/$id');

/** Archive, activate and delete. */
export function TaskActions({ task }: { readonly task: Task }): ReactNode {
  const { tasks } = useTexts();
  const [asked, setAsked] = useState<Verb | null>(null);
  const verbs = [task.status === 'active' ? 'archive' : 'activate', 'remove'] as const;
  return (
    <>
      {verbs.map((verb) => (
        <button
          key={verb}
          type="button"
          className="button"
          data-style="secondary"
          onClick={() => setAsked(verb)}
        >
          {tasks.verbs[verb]}
        </button>
      ))}
      {asked !== null && <VerbDialog task={task} verb={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

interface VerbDialogProps {
  readonly task: Task;
  readonly verb: Verb;
  onClose(): void;
}

function VerbDialog({ task: { id, name, version }, verb, onClose }: VerbDialogProps): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const navigate = route.useNavigate();
  const { frame, tasks } = useTexts();
  const action = useMutation({
    mutationFn: async () => {
      const params = { path: { id } };
      if (verb === 'archive') await api.POST('/api/tasks/{id}/archive', { params });
      else if (verb === 'activate') await api.POST('/api/tasks/{id}/activate', { params });
      else
        await api.DELETE('/api/tasks/{id}', {
          params: { ...params, header: { 'If-Match': `"${version}"` } },
        });
    },
    onSuccess() {
      void client.invalidateQueries({ queryKey: ['tasks'] });
      if (verb === 'remove') void navigate({ to: '/tasks' });
      else void client.invalidateQueries({ queryKey: ['task', id] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={tasks.verbTitles[verb](name)}
      confirm={tasks.verbs[verb]}
      dismiss={frame.cancel}
      danger={verb === 'remove'}
      action={action}
      onClose={onClose}
    >
      <p className="dialog-question">{tasks.verbHints[verb]}</p>
    </ConfirmDialog>
  );
}
