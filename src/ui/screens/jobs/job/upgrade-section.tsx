import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { ScriptSection } from '../../../frame/forms/script-section.tsx';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { PlanView } from '../upgrade/plan-view.tsx';
import type { JobDetail } from './job-overview.tsx';

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
                      command: ['upgrade', String(id), '--yes'],
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
