import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { eachRecord } from '../../../../client/create-client.ts';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { Pages, usePages } from '../../../frame/records/pages.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { UpgradeMany } from '../../jobs/upgrade/upgrade-many.tsx';
import type { NamedJob } from '../../jobs/upgrade/use-upgrades.ts';
import type { Template } from '../template-kind.ts';

const PAGE_JOBS_MAX = 200;

/** The jobs that were made from a template, each with the version that it has. */
export function TemplateJobs({ template }: { readonly template: Template }): ReactNode {
  const api = useApi();
  const { frame, jobs, tasks, templates } = useTexts();
  const { id, version } = template;
  const may = useMay('editor');
  const active = async (): Promise<readonly NamedJob[]> => {
    const found: NamedJob[] = [];
    const all = eachRecord((cursor) => {
      const query = { sort: 'name', limit: PAGE_JOBS_MAX, ...(cursor !== undefined && { cursor }) } as const;
      return api.GET('/api/job-templates/{id}/jobs', { params: { path: { id }, query } });
    });
    for await (const { id, name, status } of all) if (status === 'active') found.push({ id, name });
    return found;
  };
  const query = usePages(
    ['job-template', id, 'jobs'],
    (page, signal) =>
      api.GET('/api/job-templates/{id}/jobs', {
        params: {
          path: { id },
          query: { sort: 'name' as const, ...page },
        },
        signal,
      }),
    { isLive: false },
  );
  return (
    <div className="sections">
      {may && <UpgradeMany read={active} parts={{ template: true, tasks: true, dashboards: true }} />}
      <section className="panel" aria-label={frame.jobs}>
        <Pages query={query} empty={templates.noJobs}>
          {(records) => (
            <table className="list run-list">
              <ListHead columns={[{ label: jobs.name }, { label: tasks.version, isFigure: true }]} />
              <tbody>
                {records.map((job) => (
                  <tr key={job.id}>
                    <td>
                      <Link
                        to="/jobs/$id"
                        params={{ id: String(job.id) }}
                        search={job.template_version === version ? {} : { view: 'upgrade' }}
                        className="record-link"
                      >
                        {job.name} <span className="record-id">#{job.id}</span>
                      </Link>
                      {job.status === 'archived' && <p className="record-facts">{jobs.archived}</p>}
                    </td>
                    <td data-align="right">
                      {job.template_version === version
                        ? version
                        : templates.behind(job.template_version, version)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </Pages>
      </section>
    </div>
  );
}
