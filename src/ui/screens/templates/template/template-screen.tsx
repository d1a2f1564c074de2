import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DefinitionActions, type Verb } from '../../../frame/definitions/definition-actions.tsx';
import { LazyYamlEditor } from '../../../frame/definitions/lazy-yaml-editor.tsx';
import { VersionsSection } from '../../../frame/definitions/versions-section.tsx';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { Screen } from '../../../frame/layout/screen.tsx';
import { Views } from '../../../frame/layout/views.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { Icon } from '../../../kit/icon.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { type Template, useTemplateKind, useTemplateVersions } from '../template-kind.ts';
import type { TemplateView } from '../template-searches.ts';
import { TemplateDashboards } from './template-dashboards.tsx';
import { TemplateEditor } from './template-editor.tsx';
import { TemplateGraph } from './template-graph.tsx';
import { TemplateJobs } from './template-jobs.tsx';

const route = getRouteApi('/signed-in/templates/$id');

/** One job template: its graph and YAML, the editor, its versions, its jobs and the dashboards that they get. */
export function TemplateScreen(): ReactNode {
  const id = Number(route.useParams().id);
  const { tasks, templates } = useTexts();
  const { view } = route.useSearch();
  const may = useMay('editor');
  const { read } = useTemplateKind();
  const query = useQuery({ queryKey: ['job-template', id], queryFn: ({ signal }) => read(id, signal) });
  const { data } = query;
  const views: readonly (TemplateView | undefined)[] = [
    undefined,
    ...(may ? (['edit'] as const) : []),
    'versions',
    'jobs',
    'dashboards',
  ];
  return (
    <Screen
      title={data?.name ?? templates.title}
      above={
        <p className="screen-above">
          <Link to="/templates">{templates.title}</Link>
        </p>
      }
      facts={data && <Facts template={data} />}
      actions={data && may && <Actions template={data} />}
    >
      <Views
        label={tasks.viewsLabel}
        views={views}
        textOf={(one) => templates.views[one ?? 'yaml']}
        linkTo={(one) => ({
          to: '/templates/$id',
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

function Facts({ template }: { readonly template: Template }): ReactNode {
  const { connectors, tasks } = useTexts();
  return (
    <ul className="facts">
      {template.status === 'archived' && <li>{tasks.archived}</li>}
      <li>
        {tasks.version} {template.version}
      </li>
      <li>
        {connectors.changed} <When at={template.updated_at} />
        {template.updated_by !== null && ` · ${template.updated_by}`}
      </li>
      {template.description !== null && <li>{template.description}</li>}
    </ul>
  );
}

function Actions({ template }: { readonly template: Template }): ReactNode {
  const api = useApi();
  const navigate = route.useNavigate();
  const { jobs, templates } = useTexts();
  const { id, version, status } = template;
  const params = { path: { id } };
  const act = (verb: Verb): Promise<unknown> => {
    if (verb === 'archive') return api.POST('/api/job-templates/{id}/archive', { params });
    if (verb === 'activate') return api.POST('/api/job-templates/{id}/activate', { params });
    const header = { 'If-Match': `"${version}"` };
    return api.DELETE('/api/job-templates/{id}', { params: { ...params, header } });
  };
  return (
    <>
      {status === 'active' && (
        <Link to="/jobs/new" search={{ template: id }} className="button">
          <Icon name="plus" />
          {jobs.new}
        </Link>
      )}
      <DefinitionActions
        noun="job-template"
        saved={template}
        hints={templates.verbHints}
        act={act}
        onRemoved={() => void navigate({ to: '/templates' })}
      />
    </>
  );
}

interface ViewProps {
  readonly template: Template;
  readonly view: TemplateView | undefined;
}

function View({ template, view }: ViewProps): ReactNode {
  const { run, tasks } = useTexts();
  const versions = useTemplateVersions();
  const { name, version, yaml_content, dag } = template;
  switch (view) {
    case undefined:
      return (
        <div className="sections">
          {dag !== null && (
            <section className="panel" aria-labelledby="template-tasks">
              <h2 id="template-tasks">{run.tasks}</h2>
              <TemplateGraph dag={dag} />
            </section>
          )}
          <section className="panel" aria-label={tasks.views.yaml}>
            <LazyYamlEditor key={version} label={tasks.yamlOf(name)} text={yaml_content} readOnly />
          </section>
        </div>
      );
    case 'edit':
      return <TemplateEditor saved={template} />;
    case 'versions':
      return <VersionsSection noun="job-template" versions={versions} saved={template} />;
    case 'jobs':
      return <TemplateJobs template={template} />;
    case 'dashboards':
      return <TemplateDashboards template={template} />;
    default:
      return view satisfies never;
  }
}
