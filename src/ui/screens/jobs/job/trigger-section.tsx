import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { ConfirmDialog } from '../../../frame/records/confirm-dialog.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { StatusBadge } from '../../../frame/records/status-badge.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { wordOf } from '../../../texts/word-of.ts';
import { useScheduleText } from '../parts/schedule-text.ts';
import { useTriggers } from './job-overview.tsx';
import { TriggerForm } from './trigger-form.tsx';

type Trigger = components['schemas']['Trigger'];

/** When a job runs by itself. */
export function TriggerSection({ id }: { readonly id: number }): ReactNode {
  const { jobs } = useTexts();
  const may = useMay('editor');
  const triggers = useTriggers(id);
  const [edited, setEdited] = useState<Trigger | 'new' | null>(null);
  return (
    <section className="panel" aria-labelledby="job-triggers">
      <div className="panel-head">
        <h2 id="job-triggers">{jobs.views.triggers}</h2>
        {may && edited === null && (
          <button type="button" className="button" onClick={() => setEdited('new')}>
            <Icon name="plus" />
            {jobs.addTrigger}
          </button>
        )}
      </div>
      {edited !== null && (
        <TriggerForm
          key={edited === 'new' ? 'new' : edited.id}
          jobId={id}
          saved={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
      <Loaded query={triggers}>
        {(all) =>
          all.length === 0 ? (
            edited === null && <EmptyState>{jobs.notScheduled}</EmptyState>
          ) : (
            <ul className="records triggers">
              {all.map((trigger) => (
                <TriggerEntry
                  key={trigger.id}
                  trigger={trigger}
                  may={may}
                  onEdit={() => setEdited(trigger)}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

interface TriggerEntryProps {
  readonly trigger: Trigger;
  readonly may: boolean;
  onEdit(): void;
}

function TriggerEntry({ trigger, may, onEdit }: TriggerEntryProps): ReactNode {
  const { jobs } = useTexts();
  const textOf = useScheduleText();
  const { name, cron, timezone, state, next_run_at, last_status, last_fired_at } = trigger;
  return (
    <li>
      <span className="record-name">{textOf(cron)}</span>
      <span className="record-facts">
        {/* It is named after its schedule unless somebody named it. */}
        {name !== cron && <>{name} · </>}
        <code>{cron}</code> · {timezone} · {wordOf(jobs.triggerStates, state)}
        {next_run_at !== null && (
          <>
            {' · '}
            {jobs.next} <When at={next_run_at} />
          </>
        )}
      </span>
      {last_status !== null && (
        <span className="record-facts">
          <StatusBadge status={last_status} /> <When at={last_fired_at} />
        </span>
      )}
      {may && <TriggerButtons trigger={trigger} onEdit={onEdit} />}
    </li>
  );
}

function TriggerButtons({ trigger, onEdit }: Omit<TriggerEntryProps, 'may'>): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { jobs, connectors, frame } = useTexts();
  const [isAsked, setAsked] = useState(false);
  const { id, job_id, name, enabled } = trigger;
  const params = { path: { id } };
  const onSuccess = () => void client.invalidateQueries({ queryKey: ['job', job_id, 'triggers'] });
  const toggle = useMutation({
    mutationFn: () =>
      enabled
        ? api.POST('/api/triggers/{id}/disable', { params })
        : api.POST('/api/triggers/{id}/enable', { params }),
    onSuccess,
  });
  const remove = useMutation({ mutationFn: () => api.DELETE('/api/triggers/{id}', { params }), onSuccess });
  const verb = enabled ? jobs.disable : jobs.enable;
  return (
    <div className="trigger-buttons">
      <button type="button" className="text-button" aria-label={`${jobs.edit}: ${name}`} onClick={onEdit}>
        {jobs.edit}
      </button>
      <button
        type="button"
        className="text-button"
        aria-label={`${verb}: ${name}`}
        disabled={toggle.isPending}
        onClick={() => toggle.mutate()}
      >
        {verb}
      </button>
      <button
        type="button"
        className="text-button"
        aria-label={`${connectors.remove}: ${name}`}
        onClick={() => setAsked(true)}
      >
        {connectors.remove}
      </button>
      <FormProblem error={toggle.error} />
      {isAsked && (
        <ConfirmDialog
          title={connectors.removeTitle(name)}
          confirm={connectors.remove}
          dismiss={frame.cancel}
          danger
          action={remove}
          onClose={() => setAsked(false)}
        >
          <p className="dialog-question">{jobs.removeTriggerHint}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
