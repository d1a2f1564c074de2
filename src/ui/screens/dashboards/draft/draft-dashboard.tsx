import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { ApiError } from '../../../../client/api-error.ts';
import type { DashboardPayload, WidgetResult } from '../../../api/dashboard-payload.ts';
import { DashboardContent } from '../../../dashboard/dashboard-pages.tsx';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useSettled } from '../../../kit/use-settled.ts';
import { WidgetHostContext, widgetKey } from '../../../kit/widget/widget-host.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { draftHost } from './draft-host.ts';
import '../dashboard/widget-styles.ts';

const settleMs = 800;

interface DraftDashboardProps {
  readonly text: string;
  /** The job whose data it shows. */
  readonly job: number;
}

/**
 * The dashboard that a text describes, with the data of a job, drawn as one types. Where the text has problems, its last good form
 * stays.
 */
export function DraftDashboard({ text, job }: DraftDashboardProps): ReactNode {
  const api = useApi();
  const { dashboards } = useTexts();
  const settled = useSettled(text, settleMs);
  const query = useQuery({
    queryKey: ['dashboard-draft', job, settled],
    queryFn: ({ signal }) =>
      api.POST('/api/jobs/{id}/dashboard-draft', {
        params: { path: { id: job } },
        body: { yaml_content: settled },
        signal,
      }),
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  const { data, error, dataUpdatedAt } = query;
  const lastGood = useRef<DrawnProps | null>(null);
  if (data !== undefined) lastGood.current = { drawn: data, drawnAt: dataUpdatedAt, job };
  const good = lastGood.current?.job === job ? lastGood.current : null;
  const isInvalid = error instanceof ApiError && error.status === 400;
  return (
    <section className="dashboard-draft stack" aria-label={dashboards.draft} aria-busy={query.isFetching}>
      <p className="field-hint" role="status">
        {isInvalid ? dashboards.draftInvalid : dashboards.draftHint}
      </p>
      {!isInvalid && <FormProblem error={error} />}
      {good !== null && <Drawn {...good} />}
    </section>
  );
}

interface DrawnProps {
  readonly drawn: {
    readonly document: Readonly<Record<string, unknown>>;
    readonly widgets: Readonly<Record<string, WidgetResult>>;
  };
  /** In milliseconds since the epoch. */
  readonly drawnAt: number;
  readonly job: number;
}

function Drawn({ drawn, drawnAt, job }: DrawnProps): ReactNode {
  const client = useQueryClient();
  const { dashboards, filters } = useTexts();
  const host = useMemo(
    () => draftHost(`draft ${job} ${drawnAt}`, drawn.widgets, dashboards.notInDraft),
    [job, drawn, drawnAt, dashboards],
  );
  // Nobody asks for the data of an earlier form again.
  useEffect(() => () => client.removeQueries({ queryKey: widgetKey(host, '').slice(0, 2) }), [client, host]);
  return (
    <WidgetHostContext.Provider value={host}>
      <div className="dashboard-view">
        <DashboardContent dashboard={drawn.document as unknown as DashboardPayload} filterWords={filters} />
      </div>
    </WidgetHostContext.Provider>
  );
}
