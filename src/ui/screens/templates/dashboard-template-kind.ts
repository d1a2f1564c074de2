import { useMemo } from 'react';
import type { components } from '../../../client/openapi-types.ts';
import type { DefinitionKind } from '../../frame/definitions/definition-kind.ts';
import { useApi } from '../../frame/state/api-context.ts';
import type { TemplateStart } from './start-template.ts';

export type DashboardTemplate = components['schemas']['DashboardTemplateDetail'];

/** The dashboard templates of one job template: their texts are checked for it, where it is known. `start`: what a new one begins with. */
export function useDashboardTemplateKind(
  jobTemplateId?: number,
  start?: TemplateStart,
): DefinitionKind<DashboardTemplate> {
  const api = useApi();
  return useMemo(
    () => ({
      noun: 'dashboard-template',
      schema: 'dashboard',
      jobTemplateId,
      isNamed: true,
      newText: start?.text ?? '',
      newName: start?.name ?? '',
      read: (id, signal) => api.GET('/api/dashboard-templates/{id}', { params: { path: { id } }, signal }),
      async check(yaml_content) {
        const query = jobTemplateId === undefined ? {} : { job_template_id: jobTemplateId };
        const body = { yaml_content };
        return (await api.POST('/api/dashboard-templates/validate', { params: { query }, body })).problems;
      },
      async create(body) {
        const params = { path: { id: jobTemplateId ?? 0 } };
        const made = await api.POST('/api/job-templates/{id}/dashboard-templates', { params, body });
        return { ...made, linked_dashboard_count: 0 };
      },
      async update(id, version, body) {
        const params = { path: { id }, header: { 'If-Match': `"${version}"` } };
        await api.PUT('/api/dashboard-templates/{id}', { params, body });
        return api.GET('/api/dashboard-templates/{id}', { params: { path: { id } } });
      },
    }),
    [api, jobTemplateId, start],
  );
}
