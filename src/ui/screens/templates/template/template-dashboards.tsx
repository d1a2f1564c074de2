import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { Pages, usePages } from '../../../frame/records/pages.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { Icon } from '../../../kit/icon.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { Template } from '../template-kind.ts';

/** The dashboard templates of a job template: each new job gets a dashboard from each. */
export function TemplateDashboards({ template }: { readonly template: Template }): ReactNode {
  const api = useApi();
  const { connectors, jobs, tasks, templates } = useTexts();
  const may = useMay('editor');
  const { id } = template;
  const query = usePages(
    ['dashboard-templates', id],
    (page, signal) =>
      api.GET('/api/job-templates/{id}/dashboard-templates', {
        params: {
          path: { id },
          query: { sort: 'name' as const, ...page },
        },
        signal,
      }),
    { isLive: false },
  );
  return (
    <section className="panel stack" aria-label={templates.views.dashboards}>
      {may && (
        <div className="form-buttons">
          <Link to="/templates/$id/new-dashboard" params={{ id: String(id) }} className="button">
            <Icon name="plus" />
            {templates.newDashboard}
          </Link>
        </div>
      )}
      <Pages query={query} empty={templates.noDashboards}>
        {(records) => (
          <table className="list run-list">
            <ListHead
              columns={[
                { label: jobs.name },
                { label: tasks.version, isFigure: true },
                { label: connectors.changed, isWide: true },
              ]}
            />
            <tbody>
              {records.map((one) => (
                <tr key={one.id}>
                  <td>
                    <Link
                      to="/dashboard-templates/$id"
                      params={{ id: String(one.id) }}
                      className="record-link"
                    >
                      {one.name} <span className="record-id">#{one.id}</span>
                    </Link>
                    {one.status === 'archived' && <p className="record-facts">{tasks.archived}</p>}
                    {one.description && <p className="record-facts">{one.description}</p>}
                  </td>
                  <td data-align="right">{one.version}</td>
                  <td className="wide-only">
                    <When at={one.updated_at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Pages>
    </section>
  );
}
