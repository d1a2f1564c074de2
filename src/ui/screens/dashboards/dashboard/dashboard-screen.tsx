import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { Ctas } from '../../../dashboard/dashboard-pages.tsx';
import { RefreshStatus } from '../../../dashboard/refresh-status.tsx';
import { DefinitionActions } from '../../../frame/definitions/definition-actions.tsx';
import { DefinitionEditor } from '../../../frame/definitions/definition-editor.tsx';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { Screen } from '../../../frame/layout/screen.tsx';
import { Views } from '../../../frame/layout/views.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { type Dashboard, useDashboardKind } from '../dashboard-kind.ts';
import type { DashboardScreenView } from '../dashboard-searches.ts';
import { DraftDashboard } from '../draft/draft-dashboard.tsx';
import { KioskLink } from '../kiosk/kiosk-link.tsx';
import { FullScreenButton, LiveDashboard } from './live-dashboard.tsx';
import { payloadOf } from './member-host.ts';
import { ShareSection } from './share-section.tsx';
import { TemplateSection } from './template-section.tsx';

type Job = components['schemas']['JobDetail'];
const noConnectors = {};
const route = getRouteApi('/signed-in/dashboards/$id');

/** One dashboard: as it is looked at, its YAML, its link for others, and the template that it was made from. */
export function DashboardScreen(): ReactNode {
  const id = Number(route.useParams().id);
  const { dashboards } = useTexts();
  const search = route.useSearch();
  const may = useMay('editor');
  // An address of an editor shows others the dashboard, not a text that they cannot save.
  const view = search.view === 'edit' && !may ? undefined : search.view;
  const { read } = useDashboardKind();
  const query = useQuery({ queryKey: ['dashboard', id], queryFn: ({ signal }) => read(id, signal) });
  const { data } = query;
  const job = useJob(data?.job_id);
  const views: readonly (DashboardScreenView | undefined)[] = may
    ? [undefined, 'edit', 'share', ...(data?.dashboard_template_id ? (['template'] as const) : [])]
    : [undefined];
  return (
    <Screen
      title={data?.name ?? dashboards.title}
      above={<Above job={job} />}
      facts={data?.description && <p className="facts">{data.description}</p>}
      actions={data && may && view !== undefined && <Actions dashboard={data} />}
    >
      <div className="dashboard-bar">
        {views.length > 1 && (
          <Views
            label={dashboards.viewsLabel}
            views={views}
            textOf={(one) => dashboards.views[one ?? 'view']}
            linkTo={(one) => ({
              to: '/dashboards/$id',
              params: { id: String(id) },
              search: one === undefined ? {} : { view: one },
            })}
          />
        )}
        {view === undefined && data !== undefined && (
          <>
            <Ctas dashboard={payloadOf(data)} />
            <RefreshStatus />
            <FullScreenButton />
            <KioskLink ids={[id]} />
          </>
        )}
      </div>
      <Loaded query={query}>
        {(dashboard) => <View key={`${id} ${view}`} dashboard={dashboard} job={job} view={view} />}
      </Loaded>
    </Screen>
  );
}

function useJob(id: number | undefined): Job | undefined {
  const api = useApi();
  return useQuery({
    queryKey: ['job', id],
    queryFn: ({ signal }) => api.GET('/api/jobs/{id}', { params: { path: { id: id ?? 0 } }, signal }),
    enabled: id !== undefined,
  }).data;
}

function Above({ job }: { readonly job: Job | undefined }): ReactNode {
  const { dashboards } = useTexts();
  return (
    <p className="screen-above">
      <Link to="/dashboards">{dashboards.title}</Link>
      {job !== undefined && (
        <>
          {' · '}
          <Link to="/jobs/$id" params={{ id: String(job.id) }}>
            {job.name}
          </Link>
        </>
      )}
    </p>
  );
}

function Actions({ dashboard }: { readonly dashboard: Dashboard }): ReactNode {
  const api = useApi();
  const navigate = route.useNavigate();
  const { dashboards } = useTexts();
  const { id, version, name } = dashboard;
  const params = { path: { id }, header: { 'If-Match': `"${version}"` } };
  return (
    <DefinitionActions
      noun="dashboard"
      saved={{ id, name }}
      hints={{ remove: dashboards.removeHint }}
      act={() => api.DELETE('/api/dashboards/{id}', { params })}
      onRemoved={() => void navigate({ to: '/dashboards' })}
    />
  );
}

interface ViewProps {
  readonly dashboard: Dashboard;
  readonly job: Job | undefined;
  readonly view: DashboardScreenView | undefined;
}

function View({ dashboard, job, view }: ViewProps): ReactNode {
  const { tasks } = useTexts();
  const kind = useDashboardKind(job?.job_template_id);
  switch (view) {
    case undefined:
      return <LiveDashboard dashboard={dashboard} />;
    case 'edit':
      return (
        <DefinitionEditor
          kind={kind}
          saved={dashboard}
          label={tasks.yamlOf(dashboard.name)}
          connectors={job?.connector_mapping ?? noConnectors}
          beside={({ text }) => <DraftDashboard text={text} job={dashboard.job_id} />}
        />
      );
    case 'share':
      return <ShareSection dashboard={dashboard} />;
    case 'template':
      return <TemplateSection dashboard={dashboard} />;
    default:
      return view satisfies never;
  }
}
