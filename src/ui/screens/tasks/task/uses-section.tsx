import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { UpgradeMany } from '../../jobs/upgrade/upgrade-many.tsx';

/** As many uses as the server names. */
const USES_MAX = 200;

function useUses(id: number) {
  const api = useApi();
  return useQuery({
    queryKey: ['task', id, 'uses'],
    queryFn: ({ signal }) => api.GET('/api/tasks/{id}/uses', { params: { path: { id } }, signal }),
  });
}

interface TaskVersionProps {
  readonly id: number;
  /** The newest version of the task. */
  readonly version: number;
}

/** How many jobs still run an older version, with the way to them; nothing where none does. */
export function OlderUses({ id, version }: TaskVersionProps): ReactNode {
  const { tasks } = useTexts();
  const older = useUses(id).data?.jobs.filter(({ task_version }) => task_version < version) ?? [];
  const count = new Set(older.map(({ id: job }) => job)).size;
  if (count === 0) return null;
  return (
    <li>
      <Link to="/tasks/$id" params={{ id: String(id) }} search={{ view: 'uses' }}>
        {tasks.olderUses(count)}
      </Link>
    </li>
  );
}

/** The jobs that pin a version of the task, and the job templates whose nodes run it. */
export function UsesSection({ id, version }: TaskVersionProps): ReactNode {
  const { frame, jobs: jobTexts, runs, tasks, templates } = useTexts();
  const api = useApi();
  const may = useMay('editor');
  const query = useUses(id);
  const pinning = async () => {
    const { jobs } = await api.GET('/api/tasks/{id}/uses', { params: { path: { id } } });
    const active = jobs.filter(({ status }) => status === 'active');
    return [...new Map(active.map(({ id: job, name }) => [job, { id: job, name }])).values()];
  };
  return (
    <Loaded query={query}>
      {({ jobs, job_templates }) => (
        <div className="sections">
          {may && jobs.length > 0 && (
            <UpgradeMany
              read={pinning}
              parts={{ template: false, tasks: true, dashboards: false }}
              note={jobs.length >= USES_MAX ? jobTexts.many.someUses : undefined}
            />
          )}
          <section className="panel" aria-labelledby="task-templates">
            <h2 id="task-templates">{tasks.templates}</h2>
            {job_templates.length === 0 && <EmptyState>{tasks.noTemplate}</EmptyState>}
            {job_templates.length > 0 && (
              <table className="list run-list">
                <ListHead columns={[{ label: runs.template }, { label: tasks.nodes }]} />
                <tbody>
                  {job_templates.map(({ id: template, name, task_keys }) => (
                    <tr key={template}>
                      <td>
                        <Link to="/templates/$id" params={{ id: String(template) }} className="record-link">
                          {name} <span className="record-id">#{template}</span>
                        </Link>
                      </td>
                      <td>{task_keys.join(', ')}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </section>
          <section className="panel" aria-labelledby="task-jobs">
            <h2 id="task-jobs">{frame.jobs}</h2>
            {jobs.length === 0 && <EmptyState>{tasks.noJob}</EmptyState>}
            {jobs.length > 0 && (
              <table className="list run-list">
                <ListHead
                  columns={[
                    { label: runs.job },
                    { label: tasks.nodes },
                    { label: tasks.pinned, isFigure: true },
                  ]}
                />
                <tbody>
                  {jobs.map(({ id: job, name, task_key, task_version }) => (
                    <tr key={`${job} ${task_key}`}>
                      <td>
                        <Link to="/jobs/$id" params={{ id: String(job) }} className="record-link">
                          {name} <span className="record-id">#{job}</span>
                        </Link>
                      </td>
                      <td>{task_key}</td>
                      <td data-align="right">
                        {task_version === version ? (
                          version
                        ) : (
                          <Link to="/jobs/$id" params={{ id: String(job) }} search={{ view: 'upgrade' }}>
                            {templates.behind(task_version, version)}
                          </Link>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </section>
        </div>
      )}
    </Loaded>
  );
}
