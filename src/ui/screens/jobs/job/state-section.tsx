import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { ConfirmDialog } from '../../../frame/records/confirm-dialog.tsx';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { Pages, usePages } from '../../../frame/records/pages.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

type State = components['schemas']['JobState'];

/** Where each incremental extract continues; forgetting it reads all again. */
export function StateSection({ id }: { readonly id: number }): ReactNode {
  const api = useApi();
  const { jobs, run } = useTexts();
  const may = useMay('editor');
  const [asked, setAsked] = useState<State | null>(null);
  const query = usePages(['job', id, 'state'], (page, signal) =>
    api.GET('/api/jobs/{id}/state', {
      params: { path: { id }, query: page },
      signal,
    }),
  );
  return (
    <section className="panel" aria-labelledby="job-state">
      <h2 id="job-state">{jobs.views.state}</h2>
      <p className="field-hint">{jobs.stateHint}</p>
      <Pages query={query} empty={jobs.noState}>
        {(states) => (
          <table className="list run-list">
            <ListHead
              columns={[
                { label: run.task },
                { label: jobs.continuesAfter },
                { label: jobs.since, isWide: true },
              ]}
            >
              {may && <th scope="col" aria-label={jobs.forget} />}
            </ListHead>
            <tbody>
              {states.map((state) => (
                <tr key={`${state.task_key} ${state.step_id}`}>
                  <th scope="row">
                    {state.task_key} <span className="record-id">{state.step_id}</span>
                  </th>
                  <td>
                    <code>{JSON.stringify(state.value)}</code>
                  </td>
                  <td className="wide-only">
                    <When at={state.updated_at} />
                  </td>
                  {may && (
                    <td data-align="right">
                      <button
                        type="button"
                        className="text-button"
                        aria-label={`${jobs.forget}: ${state.task_key} ${state.step_id}`}
                        onClick={() => setAsked(state)}
                      >
                        {jobs.forget}
                      </button>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Pages>
      {asked !== null && <ForgetDialog id={id} state={asked} onClose={() => setAsked(null)} />}
    </section>
  );
}

interface ForgetDialogProps {
  readonly id: number;
  readonly state: State;
  onClose(): void;
}

function ForgetDialog({ id, state, onClose }: ForgetDialogProps): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { jobs, frame } = useTexts();
  const { task_key, step_id } = state;
  const action = useMutation({
    mutationFn: () =>
      api.DELETE('/api/jobs/{id}/state/{task_key}', {
        params: { path: { id, task_key }, query: { step_id } },
      }),
    onSuccess() {
      void client.invalidateQueries({ queryKey: ['job', id, 'state'] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={jobs.forgetTitle(step_id)}
      confirm={jobs.forget}
      dismiss={frame.cancel}
      danger
      action={action}
      onClose={onClose}
    >
      <p className="dialog-question">{jobs.forgetHint}</p>
    </ConfirmDialog>
  );
}
