import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { Icon } from '../../../kit/icon.tsx';
import { isActiveRun } from '../../../kit/run-status.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { CancelDialog } from '../parts/cancel-dialog.tsx';
import { type RerunAsked, RerunDialog } from '../parts/rerun-dialog.tsx';

type RunDetail = components['schemas']['RunDetail'];
const route = getRouteApi('/signed-in/runs/$id');

/** What those who may run tasks can do with this run. A task of a job is run again through its job run. */
export function RunActions({ run }: { readonly run: RunDetail }): ReactNode {
  const may = useMay('operator');
  if (!may) return null;
  if (isActiveRun(run)) return <CancelButton run={run} />;
  if (run.job_run_id === null) return run.replay === null && <RerunButton run={run} />;
  return (
    <Link
      to="/job-runs/$id"
      params={{ id: String(run.job_run_id) }}
      search={{ rerun: run.task_key ?? undefined }}
      className="button"
    >
      <Icon name="refresh" />
      <RerunText />
    </Link>
  );
}

function RerunText(): ReactNode {
  return useTexts().runs.rerun;
}

function CancelButton({ run }: { readonly run: RunDetail }): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { runs } = useTexts();
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <button type="button" className="button" data-style="secondary" onClick={() => setAsked(true)}>
        <Icon name="x" />
        {runs.cancel}
      </button>
      {isAsked && (
        <CancelDialog
          cancel={(mode) =>
            api.POST('/api/runs/{id}/cancel', { params: { path: { id: run.id } }, body: { mode } })
          }
          script={(mode) => ({ method: 'POST', path: `/api/runs/${run.id}/cancel`, body: { mode } })}
          onDone={() => void client.invalidateQueries({ queryKey: ['run', run.id] })}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}

function RerunButton({ run }: { readonly run: RunDetail }): ReactNode {
  const api = useApi();
  const navigate = route.useNavigate();
  const [isAsked, setAsked] = useState(false);
  const rerun = async ({ use, key }: RerunAsked) => {
    const made = await api.POST('/api/runs/{id}/rerun', {
      params: { path: { id: run.id }, header: { 'Idempotency-Key': key } },
      body: { use },
    });
    await navigate({ to: '/runs/$id', params: { id: String(made.id) }, search: {} });
  };
  return (
    <>
      <button type="button" className="button" onClick={() => setAsked(true)}>
        <Icon name="refresh" />
        <RerunText />
      </button>
      {isAsked && (
        <RerunDialog
          rerun={rerun}
          script={({ use }) => ({ method: 'POST', path: `/api/runs/${run.id}/rerun`, body: { use } })}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
