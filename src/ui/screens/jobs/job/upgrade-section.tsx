import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { ScriptSection } from '../../../frame/forms/script-section.tsx';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { DiffText } from '../../../frame/records/diff-text.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { wordOf } from '../../../texts/word-of.ts';
import type { JobDetail } from './job-overview.tsx';

type Plan = components['schemas']['JobUpgrade'];

/** What has changed since the job pinned its template and tasks, and the upgrade that takes exactly that. */
export function UpgradeSection({ job }: { readonly job: JobDetail }): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { jobs } = useTexts();
  const may = useMay('editor');
  const { id } = job;
  const plan = useQuery({
    queryKey: ['job', id, 'upgrade'],
    queryFn: ({ signal }) =>
      api.POST('/api/jobs/{id}/upgrade', { params: { path: { id } }, body: { dry_run: true }, signal }),
    enabled: may,
  });
  const apply = useMutation({
    mutationFn: (plan_hash: string) =>
      api.POST('/api/jobs/{id}/upgrade', { params: { path: { id } }, body: { plan_hash } }),
    // Done, or no longer as planned: either way there is another plan.
    onSettled: () => client.invalidateQueries({ queryKey: ['job', id] }),
  });
  return (
    <section className="panel" aria-labelledby="job-upgrade">
      <h2 id="job-upgrade">{jobs.views.upgrade}</h2>
      {!may && <EmptyState>{jobs.upgradeEditors}</EmptyState>}
      {may && (
        <Loaded query={plan}>
          {(planned) =>
            planned.changed ? (
              <>
                <PlanView plan={planned} />
                <FormProblem error={apply.error} />
                <button
                  type="button"
                  className="button"
                  disabled={apply.isPending || planned.problems.length > 0}
                  onClick={() => apply.mutate(planned.plan_hash)}
                >
                  {jobs.upgrade}
                </button>
                <ScriptSection
                  calls={[
                    {
                      method: 'POST',
                      path: `/api/jobs/${id}/upgrade`,
                      body: { plan_hash: planned.plan_hash },
                    },
                  ]}
                />
              </>
            ) : (
              <EmptyState>{apply.isSuccess ? jobs.upgraded : jobs.upToDate}</EmptyState>
            )
          }
        </Loaded>
      )}
    </section>
  );
}

function PlanView({ plan }: { readonly plan: Plan }): ReactNode {
  const { jobs, runs, connectors } = useTexts();
  const { template, tasks, dashboards, problems } = plan;
  return (
    <div className="plan">
      {problems.length > 0 && (
        <div className="failure-note">
          <h3>{jobs.blocks}</h3>
          <ul>
            {problems.map(({ path, message }) => (
              <li key={`${path} ${message}`}>{message}</li>
            ))}
          </ul>
        </div>
      )}
      {template.diff !== '' && (
        <Change
          title={`${runs.template}: ${jobs.fromTo(template.from_version, template.to_version)}`}
          diff={template.diff}
        />
      )}
      {tasks
        .filter(({ action }) => action !== 'keep')
        .map(({ key, action, from_version, to_version, diff }) => (
          <Change
            key={key}
            title={`${runs.task} ${key}: ${wordOf(jobs.actions, action)} ${jobs.fromTo(from_version, to_version)}`}
            diff={diff}
          />
        ))}
      {dashboards
        .filter(({ action }) => action !== 'unchanged')
        .map(({ dashboard_template_id, name, action, diff }) => (
          <Change
            key={dashboard_template_id}
            title={`${jobs.dashboard} ${name}: ${wordOf(jobs.actions, action)}`}
            diff={diff}
          />
        ))}
      {plan.connectors.map(({ name, action, type }) => (
        <Change
          key={name}
          title={`${connectors.title} ${name}: ${wordOf(jobs.actions, action)} (${type})`}
          diff=""
        />
      ))}
      {plan.config.map(({ key, action }) => (
        <Change key={key} title={`${jobs.views.config} ${key}: ${wordOf(jobs.actions, action)}`} diff="" />
      ))}
    </div>
  );
}

function Change({ title, diff }: { readonly title: string; readonly diff: string }): ReactNode {
  return (
    <div>
      <h3>{title}</h3>
      {diff !== '' && <DiffText label={title} diff={diff} />}
    </div>
  );
}
