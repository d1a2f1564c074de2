import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { ScriptSection } from '../../../frame/forms/script-section.tsx';
import { ConfirmDialog } from '../../../frame/records/confirm-dialog.tsx';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { Pages, usePages } from '../../../frame/records/pages.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { AdminScreen } from '../admin-screen.tsx';

type QueuedRun = components['schemas']['QueuedRun'];

/** What waits for an executor, since when and why. */
export function QueueScreen(): ReactNode {
  const api = useApi();
  const { executors } = useTexts();
  const [asked, setAsked] = useState<QueuedRun | null>(null);
  const query = usePages(['queue'], (page, signal) =>
    api.GET('/api/server/queue', { params: { query: { ...page } }, signal }),
  );
  return (
    <AdminScreen title={executors.queue.title}>
      <section className="panel" aria-label={executors.queue.title}>
        <p className="field-hint">{executors.queue.order}</p>
        <Pages query={query} empty={executors.queue.none}>
          {(runs) => <QueueTable runs={runs} onCancel={setAsked} />}
        </Pages>
        <ScriptSection calls={[{ method: 'GET', path: '/api/server/queue', command: ['queue'] }]} />
      </section>
      {asked !== null && <CancelQueued run={asked} onClose={() => setAsked(null)} />}
    </AdminScreen>
  );
}

interface QueueTableProps {
  readonly runs: readonly QueuedRun[];
  onCancel(run: QueuedRun): void;
}

function QueueTable({ runs, onCancel }: QueueTableProps): ReactNode {
  const texts = useTexts();
  const { queue } = texts.executors;
  const mayCancel = useMay('operator');
  return (
    <table className="list run-list">
      <ListHead
        columns={[
          { label: texts.runs.task },
          { label: queue.why },
          { label: texts.runs.job, isWide: true },
          { label: queue.priority, isWide: true, isFigure: true },
          { label: queue.waits, isWide: true },
        ]}
      >
        {mayCancel && (
          <th scope="col">
            <span className="visually-hidden">{queue.cancel}</span>
          </th>
        )}
      </ListHead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.id}>
            <td>
              <Link to="/runs/$id" params={{ id: String(run.id) }} className="record-link">
                {run.task_name} <span className="record-id">#{run.id}</span>
              </Link>
            </td>
            <td>
              <span className="status" data-tone={run.why === 'ready' ? 'success' : 'warning'}>
                {queue.reasons[run.why]}
              </span>
              <p className="record-facts">{run.message}</p>
            </td>
            <td className="wide-only">
              {run.job_id !== null && (
                <Link to="/jobs/$id" params={{ id: String(run.job_id) }}>
                  {run.job_name ?? run.job_id}
                </Link>
              )}
            </td>
            <td className="wide-only" data-align="right">
              {run.priority}
            </td>
            <td className="wide-only">
              <When at={run.available_at} />
            </td>
            {mayCancel && (
              <td data-align="right">
                <button
                  type="button"
                  className="text-button"
                  aria-label={`${queue.cancel}: ${run.task_name} ${run.id}`}
                  onClick={() => onCancel(run)}
                >
                  {queue.cancel}
                </button>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function CancelQueued({ run, onClose }: { readonly run: QueuedRun; onClose(): void }): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { queue } = useTexts().executors;
  const action = useMutation({
    mutationFn: () =>
      api.POST('/api/runs/{id}/cancel', { params: { path: { id: run.id } }, body: { mode: 'graceful' } }),
    onSuccess() {
      void client.invalidateQueries({ queryKey: ['queue'] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={queue.cancelTitle(run.id)}
      confirm={queue.cancel}
      dismiss={queue.keep}
      danger
      action={action}
      onClose={onClose}
    >
      <p className="dialog-question">{queue.cancelHint}</p>
    </ConfirmDialog>
  );
}
