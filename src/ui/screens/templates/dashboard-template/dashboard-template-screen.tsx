import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DefinitionActions, type Verb } from '../../../frame/definitions/definition-actions.tsx';
import { DefinitionEditor } from '../../../frame/definitions/definition-editor.tsx';
import { GenerateSection } from '../../../frame/definitions/generate/generate-section.tsx';
import { LazyYamlEditor } from '../../../frame/definitions/lazy-yaml-editor.tsx';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { Screen } from '../../../frame/layout/screen.tsx';
import { Views } from '../../../frame/layout/views.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { DraftOfTemplate } from '../../dashboards/draft/draft-of-template.tsx';
import { PushSection } from '../../dashboards/push-section.tsx';
import { CompletionConnectors } from '../../jobs/parts/completion-connectors.tsx';
import { type DashboardTemplate, useDashboardTemplateKind } from '../dashboard-template-kind.ts';
import { type Template, useTemplateKind } from '../template-kind.ts';
import type { DashboardTemplateView } from '../template-searches.ts';

const route = getRouteApi('/signed-in/dashboard-templates/$id');

/** One dashboard template: its YAML, the editor, and the push to the dashboards that were made from it. */
export function DashboardTemplateScreen(): ReactNode {
  const id = Number(route.useParams().id);
  const { tasks, templates } = useTexts();
  const { view } = route.useSearch();
  const may = useMay('editor');
  const { read } = useDashboardTemplateKind();
  const query = useQuery({
    queryKey: ['dashboard-template', id],
    queryFn: ({ signal }) => read(id, signal),
  });
  const { data } = query;
  const views: readonly (DashboardTemplateView | undefined)[] = may
    ? [undefined, 'edit', 'push']
    : [undefined];
  return (
    <Screen
      title={data?.name ?? templates.views.dashboards}
      above={data && <Above jobTemplateId={data.job_template_id} />}
      facts={data && <Facts template={data} />}
      actions={data && may && <Actions template={data} />}
    >
      <Views
        label={tasks.viewsLabel}
        views={views}
        textOf={(one) => templates.dashboardViews[one ?? 'yaml']}
        linkTo={(one) => ({
          to: '/dashboard-templates/$id',
          params: { id: String(id) },
          search: one === undefined ? {} : { view: one },
        })}
      />
      <Loaded query={query}>
        {(template) => <View key={`${id} ${view}`} template={template} view={view} />}
      </Loaded>
    </Screen>
  );
}

function Above({ jobTemplateId: id }: { readonly jobTemplateId: number }): ReactNode {
  const { templates } = useTexts();
  const data = useJobTemplate(id);
  return (
    <p className="screen-above">
      <Link to="/templates">{templates.title}</Link>
      {' · '}
      <Link to="/templates/$id" params={{ id: String(id) }} search={{ view: 'dashboards' }}>
        {data?.name ?? id}
      </Link>
    </p>
  );
}

function useJobTemplate(id: number): Template | undefined {
  const { read } = useTemplateKind();
  return useQuery({ queryKey: ['job-template', id], queryFn: ({ signal }) => read(id, signal) }).data;
}

function Facts({ template }: { readonly template: DashboardTemplate }): ReactNode {
  const { connectors, tasks, templates } = useTexts();
  const may = useMay('editor');
  const linked = templates.linked(template.linked_dashboard_count);
  return (
    <ul className="facts">
      {template.status === 'archived' && <li>{tasks.archived}</li>}
      <li>
        {tasks.version} {template.version}
      </li>
      <li>
        {may ? (
          <Link to="/dashboard-templates/$id" params={{ id: String(template.id) }} search={{ view: 'push' }}>
            {linked}
          </Link>
        ) : (
          linked
        )}
      </li>
      <li>
        {connectors.changed} <When at={template.updated_at} />
      </li>
      {template.description !== null && <li>{template.description}</li>}
    </ul>
  );
}

function Actions({ template }: { readonly template: DashboardTemplate }): ReactNode {
  const api = useApi();
  const navigate = route.useNavigate();
  const { templates } = useTexts();
  const { id, job_template_id, version } = template;
  const params = { path: { id } };
  const act = (verb: Verb): Promise<unknown> => {
    if (verb === 'archive') return api.POST('/api/dashboard-templates/{id}/archive', { params });
    if (verb === 'activate') return api.POST('/api/dashboard-templates/{id}/activate', { params });
    const header = { 'If-Match': `"${version}"` };
    return api.DELETE('/api/dashboard-templates/{id}', { params: { ...params, header } });
  };
  return (
    <DefinitionActions
      noun="dashboard-template"
      saved={template}
      hints={templates.dashboardVerbHints}
      act={act}
      onRemoved={() =>
        void navigate({
          to: '/templates/$id',
          params: { id: String(job_template_id) },
          search: { view: 'dashboards' },
        })
      }
    />
  );
}

interface ViewProps {
  readonly template: DashboardTemplate;
  readonly view: DashboardTemplateView | undefined;
}

function View({ template, view }: ViewProps): ReactNode {
  const { tasks } = useTexts();
  const kind = useDashboardTemplateKind(template.job_template_id);
  const jobTemplate = useJobTemplate(template.job_template_id);
  const { id, name, version, yaml_content } = template;
  switch (view) {
    case undefined:
      return (
        <section className="panel" aria-label={tasks.views.yaml}>
          <LazyYamlEditor key={version} label={tasks.yamlOf(name)} text={yaml_content} readOnly />
        </section>
      );
    case 'edit':
      return (
        <DefinitionEditor
          kind={kind}
          saved={template}
          label={tasks.yamlOf(name)}
          beside={(typed) => (
            <>
              <GenerateSection
                typed={typed}
                what={{ kind: 'dashboard', id, jobTemplateId: template.job_template_id }}
              />
              <CompletionConnectors typed={typed} declaredIn={jobTemplate?.yaml_content ?? ''} />
              <DraftOfTemplate text={typed.text} jobTemplateId={template.job_template_id} />
            </>
          )}
        />
      );
    case 'push':
      return <PushSection templateId={id} />;
    default:
      return view satisfies never;
  }
}
