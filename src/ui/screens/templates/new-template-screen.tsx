import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { Loaded } from '../../frame/layout/loaded.tsx';
import { Screen } from '../../frame/layout/screen.tsx';
import { useApi } from '../../frame/state/api-context.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { startTemplate } from './start-template.ts';
import { TemplateEditor } from './template/template-editor.tsx';

const route = getRouteApi('/signed-in/templates/new');

/** A new job template, written from a small one that runs the task of the address, or the newest. */
export function NewTemplateScreen(): ReactNode {
  const api = useApi();
  const { templates } = useTexts();
  const { task: id } = route.useSearch();
  const query = useQuery({
    queryKey: ['tasks', 'to-start-with', id ?? null],
    queryFn: async ({ signal }) => {
      if (id !== undefined) return api.GET('/api/tasks/{id}', { params: { path: { id } }, signal });
      const newest = { sort: '-id', status: 'active', limit: 1 } as const;
      const { result } = await api.GET('/api/tasks', { params: { query: newest }, signal });
      return result[0] ?? null;
    },
    gcTime: 0,
  });
  const start = useMemo(() => startTemplate(query.data ?? null), [query.data]);
  return (
    <Screen
      title={templates.new}
      above={
        <p className="screen-above">
          <Link to="/templates">{templates.title}</Link>
        </p>
      }
    >
      <Loaded query={query}>
        {() => (
          <TemplateEditor
            key={id}
            saved={null}
            start={start}
            place={id === undefined ? 'new' : `new.${id}`}
          />
        )}
      </Loaded>
    </Screen>
  );
}
