import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { PaletteAction } from '../../../frame/palette/palette-action.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { Icon } from '../../../kit/icon.tsx';
import { isActiveRun } from '../../../kit/run-status.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { CancelDialog } from '../parts/cancel-dialog.tsx';
import { type RerunAsked, RerunDialog } from '../parts/rerun-dialog.tsx';
import { type TaskState, taskStates } from './task-states.ts';

const route = getRouteApi('/signed-in/job-runs/$id');
const failedStatuses: readonly string[] = ['error', 'cancelled', 'pending'];

/** What those who may run jobs can do with this one. */
export function JobRunActions({
  jobRun,
}: {
  readonly jobRun: components['schemas']['JobRunDetail'];
}): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const navigate = route.useNavigate();
  const { runs } = useTexts();
  const { rerun: task } = route.useSearch();
  const [asked, setAsked] = useState<'cancel' | 'rerun' | null>(task === undefined ? null : 'rerun');
  const may = useMay('operator');
  if (!may) return null;
  const active = isActiveRun(jobRun);
  const path = { id: jobRun.id };
  const close = () => setAsked(null);
  const rerun = async ({ from, use, key }: RerunAsked) => {
    const made = await api.POST('/api/job-runs/{id}/rerun', {
      params: { path, header: { 'Idempotency-Key': key } },
      body: { from, use },
    });
    await navigate({ to: '/job-runs/$id', params: { id: String(made.id) }, search: {} });
  };
  return (
    <>
      {active && (
        <>
          <button type="button" className="button" data-style="secondary" onClick={() => setAsked('cancel')}>
            <Icon name="x" />
            {runs.cancel}
          </button>
          <PaletteAction label={runs.cancel} run={() => setAsked('cancel')} />
        </>
      )}
      {!active && (
        <>
          <button type="button" className="button" onClick={() => setAsked('rerun')}>
            <Icon name="refresh" />
            {runs.rerun}
          </button>
          <PaletteAction label={runs.rerun} run={() => setAsked('rerun')} />
        </>
      )}
      {asked === 'cancel' && active && (
        <CancelDialog
          cancel={(mode) => api.POST('/api/job-runs/{id}/cancel', { params: { path }, body: { mode } })}
          script={(mode) => ({
            method: 'POST',
            path: `/api/job-runs/${jobRun.id}/cancel`,
            body: { mode },
            command: ['cancel', String(jobRun.id), ...(mode === 'force' ? ['--force'] : [])],
          })}
          onDone={() => void client.invalidateQueries({ queryKey: ['job-run', jobRun.id] })}
          onClose={close}
        />
      )}
      {asked === 'rerun' && !active && (
        <RerunDialog
          tasks={jobRun.levels.flat()}
          hasFailed={taskStates(jobRun).some(isToRunAgain)}
          task={task}
          rerun={rerun}
          script={({ from, use }) => ({
            method: 'POST',
            path: `/api/job-runs/${jobRun.id}/rerun`,
            body: { from, use },
            command: ['rerun', String(jobRun.id), '--from', from, '--use', use],
          })}
          onClose={close}
        />
      )}
    </>
  );
}

/** As the server decides it: what failed, what was not run since something before it failed, and what never began. */
function isToRunAgain({ status, run }: TaskState): boolean {
  return failedStatuses.includes(status) || (status === 'skipped' && run?.reason === 'upstream_failed');
}
