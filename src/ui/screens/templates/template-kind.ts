import { useMemo } from 'react';
import type { components } from '../../../client/openapi-types.ts';
import type { DefinitionKind, DefinitionVersions } from '../../frame/definitions/definition-kind.ts';
import { useApi } from '../../frame/state/api-context.ts';
import type { TemplateStart } from './start-template.ts';

export type Template = components['schemas']['JobTemplateDetail'];
export type Dag = components['schemas']['Dag'];

/** Job templates. `start`: what a new one begins with. `onDag` gets the graph of the text that was checked last; null where it cannot be read. */
export function useTemplateKind(
  onDag?: (dag: Dag | null) => void,
  start?: TemplateStart,
): DefinitionKind<Template> {
  const api = useApi();
  return useMemo(
    () => ({
      noun: 'job-template',
      schema: 'job-template',
      isNamed: true,
      newText: start?.text ?? '',
      newName: start?.name ?? '',
      read: (id, signal) => api.GET('/api/job-templates/{id}', { params: { path: { id } }, signal }),
      async check(yaml_content) {
        const { problems, warnings, dag } = await api.POST('/api/job-templates/validate', {
          body: { yaml_content },
        });
        onDag?.(dag);
        return [...problems, ...warnings.map((warning) => ({ ...warning, isWarning: true }))];
      },
      create: (body) => api.POST('/api/job-templates', { body }),
      update: (id, version, body) =>
        api.PUT('/api/job-templates/{id}', {
          params: { path: { id }, header: { 'If-Match': `"${version}"` } },
          body,
        }),
    }),
    [api, onDag, start],
  );
}

export function useTemplateVersions(): DefinitionVersions {
  const api = useApi();
  return useMemo(
    () => ({
      list: (id, page, signal) =>
        api.GET('/api/job-templates/{id}/versions', {
          params: { path: { id }, query: page },
          signal,
        }),
      diff: async (id, version, signal) => {
        const params = { path: { id, version } };
        return (await api.GET('/api/job-templates/{id}/versions/{version}/diff', { params, signal })).diff;
      },
      restore: (id, version, current) =>
        api.POST('/api/job-templates/{id}/versions/{version}/restore', {
          params: { path: { id, version }, header: { 'If-Match': `"${current}"` } },
        }),
    }),
    [api],
  );
}
