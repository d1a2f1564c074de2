import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { ScriptSection } from '../../../frame/forms/script-section.tsx';
import { PaletteAction } from '../../../frame/palette/palette-action.tsx';
import { ConfirmDialog } from '../../../frame/records/confirm-dialog.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { type OpenPress, pressKey, randomKey } from '../../../inputs/action/press.ts';
import { Icon } from '../../../kit/icon.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { JobDetail } from './job-overview.tsx';

const route = getRouteApi('/signed-in/jobs/$id');

/** Start now, archive and activate. */
export function JobActions({ job }: { readonly job: JobDetail }): ReactNode {
  const [asked, setAsked] = useState<'start' | 'archive' | 'activate' | null>(null);
  const { jobs } = useTexts();
  const mayRun = useMay('operator');
  const mayChange = useMay('editor');
  const isActive = job.status === 'active';
  return (
    <>
      {mayRun && isActive && (
        <>
          <button type="button" className="button" onClick={() => setAsked('start')}>
            <Icon name="play" />
            {jobs.start}
          </button>
          <PaletteAction label={jobs.start} run={() => setAsked('start')} />
        </>
      )}
      {mayChange && (
        <button
          type="button"
          className="button"
          data-style="secondary"
          onClick={() => setAsked(isActive ? 'archive' : 'activate')}
        >
          {isActive ? jobs.archive : jobs.activate}
        </button>
      )}
      {asked === 'start' && <StartDialog job={job} onClose={() => setAsked(null)} />}
      {(asked === 'archive' || asked === 'activate') && (
        <StatusDialog job={job} to={asked} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

interface DialogProps {
  readonly job: JobDetail;
  onClose(): void;
}

function StartDialog({ job, onClose }: DialogProps): ReactNode {
  const api = useApi();
  const navigate = route.useNavigate();
  const { jobs, frame } = useTexts();
  const press = useRef<OpenPress | null>(null);
  const action = useMutation({
    mutationFn: () => {
      press.current = pressKey(press.current, job.id, randomKey);
      const header = { 'Idempotency-Key': press.current.key };
      return api.POST('/api/jobs/{id}/runs', { params: { path: { id: job.id }, header }, body: {} });
    },
    onSuccess: ({ id }) => void navigate({ to: '/job-runs/$id', params: { id: String(id) }, search: {} }),
  });
  return (
    <ConfirmDialog
      title={jobs.startTitle(job.name)}
      confirm={jobs.start}
      dismiss={frame.cancel}
      action={action}
      onClose={onClose}
    >
      <p className="dialog-question">{jobs.startHint}</p>
      <ScriptSection
        calls={[
          {
            method: 'POST',
            path: `/api/jobs/${job.id}/runs`,
            body: {},
            command: ['start', String(job.id)],
          },
        ]}
      />
    </ConfirmDialog>
  );
}

function StatusDialog({
  job,
  to,
  onClose,
}: DialogProps & { readonly to: 'archive' | 'activate' }): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { jobs, frame } = useTexts();
  const params = { path: { id: job.id } };
  const action = useMutation({
    mutationFn: () =>
      to === 'archive'
        ? api.POST('/api/jobs/{id}/archive', { params })
        : api.POST('/api/jobs/{id}/activate', { params }),
    onSuccess() {
      void client.invalidateQueries({ queryKey: ['job', job.id] });
      void client.invalidateQueries({ queryKey: ['jobs'] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={to === 'archive' ? jobs.archiveTitle(job.name) : jobs.activateTitle(job.name)}
      confirm={to === 'archive' ? jobs.archive : jobs.activate}
      dismiss={frame.cancel}
      action={action}
      onClose={onClose}
    >
      <p className="dialog-question">{to === 'archive' ? jobs.archiveHint : jobs.activateHint}</p>
    </ConfirmDialog>
  );
}
