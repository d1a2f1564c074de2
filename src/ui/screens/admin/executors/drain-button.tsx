import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { ScriptSection } from '../../../frame/forms/script-section.tsx';
import { ConfirmDialog } from '../../../frame/records/confirm-dialog.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { Executor } from './executor-state.tsx';

/** Takes an executor out of the queue, which is asked for, and puts it back. */
export function DrainButton({ executor }: { readonly executor: Executor }): ReactNode {
  const { executors, frame } = useTexts();
  const [isAsked, setAsked] = useState(false);
  const drain = useExecutorChange(executor.id, 'drain', () => setAsked(false));
  const resume = useExecutorChange(executor.id, 'resume');
  if (executor.drain !== null)
    return (
      <>
        <FormProblem error={resume.error} />
        <button type="button" className="button" disabled={resume.isPending} onClick={() => resume.mutate()}>
          {executors.resume}
        </button>
      </>
    );
  return (
    <>
      <button type="button" className="button" data-style="secondary" onClick={() => setAsked(true)}>
        {executors.drain}
      </button>
      {isAsked && (
        <ConfirmDialog
          title={executors.drainTitle(executor.name)}
          confirm={executors.drain}
          dismiss={frame.cancel}
          action={drain}
          onClose={() => setAsked(false)}
        >
          <p className="dialog-question">{executors.drainHint}</p>
          <ScriptSection
            calls={[
              {
                method: 'POST',
                path: `/api/server/executors/${executor.id}/drain`,
                command: ['executors', 'drain', String(executor.id)],
              },
            ]}
          />
        </ConfirmDialog>
      )}
    </>
  );
}

function useExecutorChange(id: number, verb: 'drain' | 'resume', onDone?: () => void) {
  const api = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => {
      const params = { path: { id } };
      return verb === 'drain'
        ? api.POST('/api/server/executors/{id}/drain', { params })
        : api.POST('/api/server/executors/{id}/resume', { params });
    },
    onSuccess(changed) {
      client.setQueryData(['executors', id], changed);
      void client.invalidateQueries({ queryKey: ['executors', 'list'] });
      onDone?.();
    },
  });
}
