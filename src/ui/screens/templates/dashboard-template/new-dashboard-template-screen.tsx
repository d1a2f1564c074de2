import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DefinitionEditor } from '../../../frame/definitions/definition-editor.tsx';
import { GenerateSection } from '../../../frame/definitions/generate/generate-section.tsx';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { Screen } from '../../../frame/layout/screen.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { connectorTypesQuery } from '../../../frame/state/connector-types-query.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { DraftOfTemplate } from '../../dashboards/draft/draft-of-template.tsx';
import { CompletionConnectors } from '../../jobs/parts/completion-connectors.tsx';
import { useDashboardTemplateKind } from '../dashboard-template-kind.ts';
import { startDashboard, tasksOf } from '../start-dashboard.ts';
import type { TemplateStart } from '../start-template.ts';
import { type Template, useTemplateKind } from '../template-kind.ts';

const route = getRouteApi('/signed-in/templates/$id/new-dashboard');

/** A new dashboard template of a job template. */
export function NewDashboardTemplateScreen(): ReactNode {
  const id = Number(route.useParams().id);
  const { templates } = useTexts();
  const { read } = useTemplateKind();
  const query = useQuery({ queryKey: ['job-template', id], queryFn: ({ signal }) => read(id, signal) });
  return (
    <Screen
      title={templates.newDashboard}
      above={
        <p className="screen-above">
          <Link to="/templates/$id" params={{ id: String(id) }} search={{ view: 'dashboards' }}>
            {query.data?.name ?? templates.title}
          </Link>
        </p>
      }
    >
      <Loaded query={query}>{(template) => <Started key={id} template={template} />}</Loaded>
    </Screen>
  );
}

/** So many tasks are read for what they load. */
const tasksReadMax = 10;

function Started({ template }: { readonly template: Template }): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ['job-template', template.id, 'start-dashboard', template.version],
    queryFn: async ({ signal }) => {
      const named = tasksOf(template).slice(0, tasksReadMax);
      const read = named.map(async (name) => {
        const { result } = await api.GET('/api/tasks', { params: { query: { q: name } }, signal });
        const id = result.find((task) => task.name === name)?.id;
        if (id === undefined) return [name, ''] as const;
        const task = await api.GET('/api/tasks/{id}', { params: { path: { id } }, signal });
        return [name, task.yaml_content] as const;
      });
      const { result: types } = await client.ensureQueryData(connectorTypesQuery(api));
      return startDashboard(template, new Map(await Promise.all(read)), types);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return <Loaded query={query}>{(start) => <NewText template={template} start={start} />}</Loaded>;
}

interface NewTextProps {
  readonly template: Template;
  readonly start: TemplateStart;
}

function NewText({ template: { id, yaml_content }, start }: NewTextProps): ReactNode {
  const { tasks, templates } = useTexts();
  const navigate = useNavigate();
  return (
    <DefinitionEditor
      kind={useDashboardTemplateKind(id, start)}
      saved={null}
      place={`new.${id}`}
      label={tasks.yamlOf(templates.newDashboard)}
      beside={(typed) => (
        <>
          <GenerateSection typed={typed} what={{ kind: 'dashboard', id: null, jobTemplateId: id }} />
          <CompletionConnectors typed={typed} declaredIn={yaml_content} />
          <DraftOfTemplate text={typed.text} jobTemplateId={id} />
        </>
      )}
      onCreated={(made) =>
        void navigate({
          to: '/dashboard-templates/$id',
          params: { id: String(made.id) },
          search: { view: 'edit' },
        })
      }
    />
  );
}
