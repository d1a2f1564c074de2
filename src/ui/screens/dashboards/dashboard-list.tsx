import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../../client/openapi-types.ts';
import { ListHead } from '../../frame/records/list-head.tsx';
import { When } from '../../frame/records/moments.tsx';
import { Pages, usePages } from '../../frame/records/pages.tsx';
import { useMay } from '../../frame/session/role.ts';
import { useApi } from '../../frame/state/api-context.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { KioskLink } from './kiosk/kiosk-link.tsx';

type Dashboard = Partial<components['schemas']['ListedDashboard']>;
const fields =
  'id,name,description,job_id,job_name,modified,shared,share_expires_at,share_has_password,updated_at';

interface DashboardListProps {
  /** Only those of this job. */
  readonly job?: number | undefined;
  /** Only those with this in their name. */
  readonly q?: string | undefined;
}

/** The dashboards by name. */
export function DashboardList({ job, q }: DashboardListProps): ReactNode {
  const api = useApi();
  const { dashboards } = useTexts();
  const filters = {
    sort: 'name' as const,
    fields,
    ...(job !== undefined && { job_id: job }),
    ...(q !== undefined && { q }),
  };
  const query = usePages(
    ['dashboards', 'list', filters],
    (page, signal) =>
      api.GET('/api/dashboards', {
        params: { query: { ...filters, ...page } },
        signal,
      }),
    { isLive: false, keepsBefore: true },
  );
  const isEmpty = query.data?.pages.every(({ result }) => result.length === 0);
  return (
    <>
      <Pages
        query={query}
        empty={
          q !== undefined ? dashboards.noMatches : job === undefined ? dashboards.none : dashboards.noneOfJob
        }
      >
        {(records) => (
          <>
            <DashboardTable records={records} withJob={job === undefined} />
            {records.length > 1 && (
              <div className="form-buttons">
                <KioskLink ids={records.flatMap(({ id }) => id ?? [])} />
              </div>
            )}
          </>
        )}
      </Pages>
      {isEmpty && q === undefined && job !== undefined && <WayToDashboard job={job} />}
    </>
  );
}

/** How a job without a dashboard gets one: by an upgrade where its template has some, else by a first one of the template. */
function WayToDashboard({ job: id }: { readonly job: number }): ReactNode {
  const api = useApi();
  const { dashboards, templates } = useTexts();
  const may = useMay('editor');
  const { data } = useQuery({
    queryKey: ['job', id, 'way-to-dashboard'],
    enabled: may,
    queryFn: async ({ signal }) => {
      const job = await api.GET('/api/jobs/{id}', { params: { path: { id } }, signal });
      const path = { id: job.job_template_id };
      const { result } = await api.GET('/api/job-templates/{id}/dashboard-templates', {
        params: { path, query: { limit: 1 } },
        signal,
      });
      return { template: path.id, hasSome: result.length > 0 };
    },
  });
  if (data === undefined) return null;
  return (
    <div className="form-buttons">
      {data.hasSome ? (
        <Link to="/jobs/$id" params={{ id: String(id) }} search={{ view: 'upgrade' }} className="button">
          {dashboards.byUpgrade}
        </Link>
      ) : (
        <Link to="/templates/$id/new-dashboard" params={{ id: String(data.template) }} className="button">
          {templates.newDashboard}
        </Link>
      )}
    </div>
  );
}

interface DashboardTableProps {
  readonly records: readonly Dashboard[];
  readonly withJob: boolean;
}

function DashboardTable({ records, withJob }: DashboardTableProps): ReactNode {
  const { dashboards, jobs, runs, connectors } = useTexts();
  return (
    <table className="list run-list">
      <ListHead
        columns={[
          { label: jobs.name },
          ...(withJob ? [{ label: runs.job }] : []),
          { label: dashboards.link },
          { label: connectors.changed, isWide: true },
        ]}
      />
      <tbody>
        {records.map((record) => (
          <tr key={record.id}>
            <td>
              <Link to="/dashboards/$id" params={{ id: String(record.id) }} className="record-link">
                {record.name} <span className="record-id">#{record.id}</span>
              </Link>
              {record.description && <p className="record-facts">{record.description}</p>}
            </td>
            {withJob && (
              <td>
                <Link to="/jobs/$id" params={{ id: String(record.job_id) }} className="plain-link">
                  {record.job_name}
                </Link>
              </td>
            )}
            <td>
              <Shared dashboard={record} />
            </td>
            <td className="wide-only">
              <When at={record.updated_at ?? null} />
              {record.modified && <p className="record-facts">{dashboards.modified}</p>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Shared({ dashboard }: { readonly dashboard: Dashboard }): ReactNode {
  const { dashboards } = useTexts();
  const { shared, share_expires_at: expires = null, share_has_password: hasPassword } = dashboard;
  if (!shared) return dashboards.notShared;
  return (
    <>
      {hasPassword ? dashboards.sharedWithPassword : dashboards.shared}
      {expires !== null && (
        <p className="record-facts">
          {Date.parse(expires) <= Date.now() ? dashboards.expired : dashboards.expires} <When at={expires} />
        </p>
      )}
    </>
  );
}
