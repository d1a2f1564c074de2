import { useMemo } from 'react';
import type { Client } from '../../../client/create-client.ts';
import type { DefinitionKind, DefinitionVersions } from '../../frame/definitions/definition-kind.ts';
import { useApi } from '../../frame/state/api-context.ts';
import type { Task } from './tasks-screen.tsx';

export type Declared = Task['connectors'];

/**
 * Tasks, which have their name in their text. `newText`: what a new one begins with. `onDeclared` gets the connectors of the text that was checked last; null for one with
 * problems.
 */
export function useTaskKind(
  newText: string,
  onDeclared?: (declared: Declared | null) => void,
): DefinitionKind<Task> {
  const api = useApi();
  return useMemo(() => taskKind(api, newText, onDeclared), [api, newText, onDeclared]);
}

function taskKind(
  api: Client,
  newText: string,
  onDeclared?: (declared: Declared | null) => void,
): DefinitionKind<Task> {
  return {
    noun: 'task',
    schema: 'task',
    isNamed: false,
    newText,
    read: (id, signal) => api.GET('/api/tasks/{id}', { params: { path: { id } }, signal }),
    async check(yaml_content) {
      const { problems, connectors } = await api.POST('/api/tasks/validate', { body: { yaml_content } });
      onDeclared?.(connectors);
      return problems;
    },
    create: ({ yaml_content }) => api.POST('/api/tasks', { body: { yaml_content } }),
    update: (id, version, { yaml_content }) =>
      api.PUT('/api/tasks/{id}', {
        params: { path: { id }, header: { 'If-Match': `"${version}"` } },
        body: { yaml_content },
      }),
  };
}

export function useTaskVersions(): DefinitionVersions {
  const api = useApi();
  return useMemo(
    () => ({
      list: (id, page, signal) =>
        api.GET('/api/tasks/{id}/versions', {
          params: { path: { id }, query: page },
          signal,
        }),
      diff: async (id, version, signal) => {
        const params = { path: { id, version } };
        return (await api.GET('/api/tasks/{id}/versions/{version}/diff', { params, signal })).diff;
      },
      restore: (id, version, current) =>
        api.POST('/api/tasks/{id}/versions/{version}/restore', {
          params: { path: { id, version }, header: { 'If-Match': `"${current}"` } },
        }),
    }),
    [api],
  );
}
