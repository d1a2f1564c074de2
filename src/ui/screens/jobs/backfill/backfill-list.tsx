import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { Pages, usePages } from '../../../frame/records/pages.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { ProgressBar } from '../../../kit/progress-bar.tsx';
import { useCatalogue, useTexts } from '../../../texts/texts-context.tsx';
import { wordOf } from '../../../texts/word-of.ts';

type Backfill = components['schemas']['Backfill'];

interface BackfillListProps {
  readonly trigger: components['schemas']['Trigger'];
  readonly may: boolean;
}

/** The backfills of a trigger, newest first, as they are now. */
export function BackfillList({ trigger, may }: BackfillListProps): ReactNode {
  const api = useApi();
  const { backfill } = useTexts().jobs;
  const query = usePages(['backfills', trigger.id], (page, signal) =>
    api.GET('/api/triggers/{id}/backfills', {
      params: { path: { id: trigger.id }, query: page },
      signal,
    }),
  );
  return (
    <Pages query={query} empty={backfill.none}>
      {(records) => (
        <ul className="records triggers" aria-label={backfill.list}>
          {records.map((record) => (
            <Entry key={record.id} record={record} timeZone={trigger.timezone} may={may} />
          ))}
        </ul>
      )}
    </Pages>
  );
}

interface EntryProps {
  readonly record: Backfill;
  /** Of the trigger, by whose days the plan was made. */
  readonly timeZone: string;
  readonly may: boolean;
}

function Entry({ record, timeZone, may }: EntryProps): ReactNode {
  const { locale, texts } = useCatalogue();
  const { backfill } = texts.jobs;
  const { id, from, to, status, total, progress, problem, created_at, created_by } = record;
  const date = (at: number) => new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium' }).format(at);
  const done = progress.success + progress.warning + progress.error + progress.cancelled + progress.deleted;
  const isEnded = status === 'completed' || status === 'cancelled';
  return (
    <li>
      <span className="record-name">
        {date(Date.parse(from))} – {date(Date.parse(to) - 1)} <span className="record-id">#{id}</span>
      </span>
      <span className="record-facts">
        {wordOf(backfill.states, status)} · {backfill.progress(done, total)}
        {progress.error > 0 && ` · ${backfill.failures(progress.error)}`} · <When at={created_at} /> ·{' '}
        {created_by}
      </span>
      {!isEnded && (
        <ProgressBar label={backfill.progress(done, total)} ratio={total === 0 ? 1 : done / total} />
      )}
      {problem !== null && <span className="record-error">{problem}</span>}
      {may && !isEnded && <Buttons record={record} />}
    </li>
  );
}

function Buttons({ record: { id, trigger_id, status } }: { readonly record: Backfill }): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { jobs, frame } = useTexts();
  const { backfill } = jobs;
  const params = { path: { id } };
  const onSettled = () => client.invalidateQueries({ queryKey: ['backfills', trigger_id] });
  const isPaused = status === 'paused';
  const toggle = useMutation({
    mutationFn: () =>
      isPaused
        ? api.POST('/api/backfills/{id}/resume', { params })
        : api.POST('/api/backfills/{id}/pause', { params }),
    onSettled,
  });
  const cancel = useMutation({
    mutationFn: () => api.POST('/api/backfills/{id}/cancel', { params, body: {} }),
    onSettled,
  });
  const buttons = [
    [isPaused ? backfill.resume : backfill.pause, toggle],
    [frame.cancel, cancel],
  ] as const;
  return (
    <div className="trigger-buttons">
      {buttons.map(([text, action]) => (
        <button
          key={text}
          type="button"
          className="text-button"
          aria-label={`${text}: ${id}`}
          disabled={action.isPending}
          onClick={() => action.mutate()}
        >
          {text}
        </button>
      ))}
      <FormProblem error={toggle.error ?? cancel.error} />
    </div>
  );
}
