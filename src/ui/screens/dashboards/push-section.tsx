import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { components } from '../../../client/openapi-types.ts';
import { FormProblem } from '../../frame/forms/form-problem.tsx';
import { Loaded } from '../../frame/layout/loaded.tsx';
import { DiffText } from '../../frame/records/diff-text.tsx';
import { useApi } from '../../frame/state/api-context.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useTexts } from '../../texts/texts-context.tsx';

type Item = components['schemas']['DashboardPushItem'];

interface PushSectionProps {
  /** The dashboard template. */
  readonly templateId: number;
  /** Only this dashboard; default: all that are linked to the template. */
  readonly dashboardId?: number;
}

/** What a push of the template would change in the dashboards that are linked to it, and the push. */
export function PushSection({ templateId, dashboardId }: PushSectionProps): ReactNode {
  const api = useApi();
  const { dashboards } = useTexts();
  const path = { id: templateId };
  const only = dashboardId === undefined ? {} : { dashboard_ids: [dashboardId] };
  const plan = useQuery({
    queryKey: ['dashboard-template', templateId, 'push', dashboardId],
    queryFn: ({ signal }) =>
      api.POST('/api/dashboard-templates/{id}/push', {
        params: { path },
        body: { ...only, dry_run: true },
        signal,
      }),
    gcTime: 0,
  });
  return (
    <section className="panel stack" aria-labelledby="push">
      <h2 id="push">{dashboards.push}</h2>
      <Loaded query={plan}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState>{dashboards.noLinked}</EmptyState>
          ) : (
            <Plan templateId={templateId} items={items} />
          )
        }
      </Loaded>
    </section>
  );
}

function Plan({
  templateId,
  items,
}: {
  readonly templateId: number;
  readonly items: readonly Item[];
}): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { dashboards } = useTexts();
  const changed = items.filter(({ action }) => action !== 'unchanged');
  // What loses nothing is chosen; a dashboard that was changed by itself is somebody's to decide.
  const [left, setLeft] = useState<ReadonlySet<number>>(
    () => new Set(changed.filter(({ modified }) => modified !== false).map(({ dashboard_id: id }) => id)),
  );
  const chosen = changed.filter(({ action, dashboard_id: id }) => action === 'update' && !left.has(id));
  const push = useMutation({
    mutationFn: () =>
      api.POST('/api/dashboard-templates/{id}/push', {
        params: { path: { id: templateId } },
        body: { dashboard_ids: chosen.map(({ dashboard_id }) => dashboard_id) },
      }),
    onSettled() {
      void client.invalidateQueries({ queryKey: ['dashboard-template', templateId] });
      void client.invalidateQueries({ queryKey: ['dashboard'] });
      void client.invalidateQueries({ queryKey: ['dashboards'] });
    },
  });
  const toggle = (id: number) => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    setLeft(next);
  };
  return (
    <>
      <p role="status">{dashboards.pushPlan(changed.length, items.length - changed.length)}</p>
      {changed.length > 0 && (
        <ul className="push-items">
          {changed.map((item) => (
            <PushItem
              key={item.dashboard_id}
              item={item}
              isChosen={!left.has(item.dashboard_id)}
              onToggle={() => toggle(item.dashboard_id)}
            />
          ))}
        </ul>
      )}
      <FormProblem error={push.error} />
      {changed.length > 0 && (
        <div className="form-buttons">
          <button
            type="button"
            className="button"
            disabled={push.isPending || chosen.length === 0}
            onClick={() => push.mutate()}
          >
            {dashboards.pushTo(chosen.length)}
          </button>
        </div>
      )}
    </>
  );
}

interface PushItemProps {
  readonly item: Item;
  readonly isChosen: boolean;
  onToggle(): void;
}

function PushItem({ item, isChosen, onToggle }: PushItemProps): ReactNode {
  const { dashboards, jobs } = useTexts();
  const {
    dashboard_id: id,
    name,
    job_name,
    action,
    modified,
    problems,
    diff,
    from_version,
    to_version,
  } = item;
  const isValid = action === 'update';
  return (
    <li>
      <label className="check-line">
        <input type="checkbox" disabled={!isValid} checked={isValid && isChosen} onChange={onToggle} />
        <span>
          {name} · {job_name} <span className="record-id">{jobs.fromTo(from_version, to_version)}</span>
        </span>
      </label>
      <p className="record-facts">
        <Link to="/dashboards/$id" params={{ id: String(id) }}>
          {dashboards.open}
        </Link>
        {modified !== false && <> · {dashboards.losesChanges}</>}
      </p>
      {problems.map(({ path, message }) => (
        <p key={`${path} ${message}`} className="record-error">
          {message}
        </p>
      ))}
      <details>
        <summary>{dashboards.changes}</summary>
        <DiffText label={name} diff={diff} />
      </details>
    </li>
  );
}
