import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { ScriptSection } from '../../../frame/forms/script-section.tsx';
import { SelectField } from '../../../frame/forms/select-field.tsx';
import { TextField } from '../../../frame/forms/text-field.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { PlanCalendar } from './plan-calendar.tsx';
import { dayAfter, dayOf, startOfDay } from './zoned-day.ts';

type Trigger = components['schemas']['Trigger'];
type Reprocess = components['schemas']['Backfill']['reprocess'];

const daysAtFirst = 7;
const reprocesses = ['missed', 'failed', 'all'] as const satisfies readonly Reprocess[];
const activeMax = 50;

/** From which day to which, what of it, and its plan as a calendar; exactly that plan is started. */
export function BackfillForm({ trigger }: { readonly trigger: Trigger }): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { backfill } = useTexts().jobs;
  const { id, timezone } = trigger;
  const [until, setUntil] = useState(() => dayOf(Date.now(), timezone));
  const [from, setFrom] = useState(() => dayAfter(until, -daysAtFirst));
  const [reprocess, setReprocess] = useState<Reprocess>('missed');
  const [active, setActive] = useState('1');
  const params = { path: { id } };
  const plan = useMutation({
    mutationFn: async () => {
      const end = Math.min(startOfDay(dayAfter(until, 1), timezone), Date.now());
      const body = {
        from: new Date(startOfDay(from, timezone)).toISOString(),
        to: new Date(end).toISOString(),
        reprocess,
        max_active: Number.parseInt(active, 10),
      };
      const planned = await api.POST('/api/triggers/{id}/backfills', {
        params,
        body: { ...body, dry_run: true },
      });
      return { body, planned: planned as components['schemas']['BackfillPlan'] };
    },
  });
  const start = useMutation({
    mutationFn: ({ body, planned }: NonNullable<typeof plan.data>) =>
      api.POST('/api/triggers/{id}/backfills', { params, body: { ...body, plan_id: planned.plan_id } }),
    onSuccess() {
      plan.reset();
      void client.invalidateQueries({ queryKey: ['backfills', id] });
    },
  });
  /** What was planned holds for what was asked. */
  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    plan.reset();
    start.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.reset();
    plan.mutate();
  };
  return (
    <>
      <form className="config-fields" aria-label={backfill.title} onSubmit={submit}>
        <TextField label={backfill.from} type="date" required value={from} onChange={change(setFrom)} />
        <TextField
          label={backfill.until}
          hint={backfill.zone(timezone)}
          type="date"
          required
          value={until}
          onChange={change(setUntil)}
        />
        <SelectField
          label={backfill.which}
          options={reprocesses.map((one) => [one, backfill.reprocess[one]] as const)}
          value={reprocess}
          onChange={(value) => change(() => setReprocess(value))(value)}
        />
        <TextField
          label={backfill.active}
          type="number"
          required
          min={1}
          max={activeMax}
          value={active}
          onChange={change(setActive)}
        />
        <div className="form-buttons">
          <button type="submit" className="button" data-style="secondary" disabled={plan.isPending}>
            {backfill.plan}
          </button>
        </div>
      </form>
      <FormProblem error={plan.error ?? start.error} />
      <div role="status">{start.isSuccess && plan.isIdle && backfill.started}</div>
      {plan.data !== undefined && (
        <PlanView
          trigger={trigger}
          plan={plan.data.planned}
          body={plan.data.body}
          busy={start.isPending}
          onStart={() => plan.data && start.mutate(plan.data)}
        />
      )}
    </>
  );
}

interface PlanViewProps {
  readonly trigger: Trigger;
  readonly plan: components['schemas']['BackfillPlan'];
  readonly body: {
    readonly from: string;
    readonly to: string;
    readonly reprocess: Reprocess;
    readonly max_active: number;
  };
  readonly busy: boolean;
  onStart(): void;
}

function PlanView({ trigger, plan, body, busy, onStart }: PlanViewProps): ReactNode {
  const { backfill } = useTexts().jobs;
  const { from, to, reprocess, max_active } = body;
  const chosen = ['--from', from, '--to', to, '--reprocess', reprocess, '--max-active', String(max_active)];
  return (
    <section className="stack" aria-label={backfill.planTitle}>
      <p>
        <strong>{plan.total === 0 ? backfill.nothing : backfill.times(plan.total)}</strong>
        {plan.truncated && ` ${backfill.first(plan.times.length)}`}
      </p>
      {plan.warnings.map((warning) => (
        <p key={warning} className="field-hint">
          {warning}
        </p>
      ))}
      <PlanCalendar times={plan.times} timeZone={trigger.timezone} />
      {plan.total > 0 && (
        <div className="form-buttons">
          <button type="button" className="button" disabled={busy} onClick={onStart}>
            {backfill.start(plan.total)}
          </button>
        </div>
      )}
      <ScriptSection
        calls={[
          {
            method: 'POST',
            path: `/api/triggers/${trigger.id}/backfills`,
            body: { ...body, dry_run: true },
            command: ['backfill', String(trigger.id), ...chosen],
          },
        ]}
      />
    </section>
  );
}
