import { useMemo } from 'react';
import type { components } from '../../../client/openapi-types.ts';
import type { DefinitionKind } from '../../frame/definitions/definition-kind.ts';
import { useApi } from '../../frame/state/api-context.ts';

export type Dashboard = components['schemas']['DashboardDetail'];

/** Dashboards, which are made with their job. Their text is checked for the template of the job, where that is known. */
export function useDashboardKind(jobTemplateId?: number): DefinitionKind<Dashboard> {
  const api = useApi();
  return useMemo(
    () => ({
      noun: 'dashboard',
      schema: 'dashboard',
      jobTemplateId,
      isNamed: true,
      read: (id, signal) => api.GET('/api/dashboards/{id}', { params: { path: { id } }, signal }),
      check: async (yaml_content) => {
        const query = jobTemplateId === undefined ? {} : { job_template_id: jobTemplateId };
        const params = { query };
        return (await api.POST('/api/dashboards/validate', { params, body: { yaml_content } })).problems;
      },
      update: (id, version, body) =>
        api.PUT('/api/dashboards/{id}', {
          params: { path: { id }, header: { 'If-Match': `"${version}"` } },
          body,
        }),
    }),
    [api, jobTemplateId],
  );
}
