import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { ScriptSection } from '../../../frame/forms/script-section.tsx';
import { ConfirmDialog } from '../../../frame/records/confirm-dialog.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { type OpenPress, pressKey, randomKey } from '../../../inputs/action/press.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { Task } from '../tasks-screen.tsx';
import { bodyOf, noInput, parsedArgs, type TaskInput, TaskInputs } from './task-inputs.tsx';

interface RunOnceDialogProps {
  readonly task: Task;
  onClose(): void;
}

/** Starts the saved version once, without a job. */
export function RunOnceDialog({ task, onClose }: RunOnceDialogProps): ReactNode {
  const api = useApi();
  const navigate = useNavigate();
  const { frame, tasks } = useTexts();
  const [input, setInput] = useState<TaskInput>(noInput);
  const press = useRef<OpenPress | null>(null);
  const action = useMutation({
    mutationFn: async () => {
      const body = bodyOf(input, tasks.argsNotAnObject);
      press.current = pressKey(press.current, JSON.stringify(body), randomKey);
      const header = { 'Idempotency-Key': press.current.key };
      return api.POST('/api/tasks/{id}/runs', { params: { path: { id: task.id }, header }, body });
    },
    onSuccess: ({ id }) => void navigate({ to: '/runs/$id', params: { id: String(id) }, search: {} }),
  });
  return (
    <ConfirmDialog
      title={tasks.runTitle(task.name)}
      confirm={tasks.run}
      dismiss={frame.cancel}
      action={action}
      onClose={onClose}
    >
      <p className="dialog-question">{tasks.runHint}</p>
      <TaskInputs declared={task.connectors} value={input} onChange={setInput} />
      <ScriptSection
        calls={[
          {
            method: 'POST',
            path: `/api/tasks/${task.id}/runs`,
            body: { connectors: input.connectors, args: parsedArgs(input.args) },
          },
        ]}
      />
    </ConfirmDialog>
  );
}
