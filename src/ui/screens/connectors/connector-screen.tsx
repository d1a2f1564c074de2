import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ScriptSection } from '../../frame/forms/script-section.tsx';
import { Loaded } from '../../frame/layout/loaded.tsx';
import { Screen } from '../../frame/layout/screen.tsx';
import { PaletteAction } from '../../frame/palette/palette-action.tsx';
import { ConfirmDialog } from '../../frame/records/confirm-dialog.tsx';
import { JsonView } from '../../frame/records/json-view.tsx';
import { When } from '../../frame/records/moments.tsx';
import { rowView } from '../../frame/row-view/row-view.ts';
import { useMay } from '../../frame/session/role.ts';
import { useApi } from '../../frame/state/api-context.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { type Connector, ConnectorForm } from './form/connector-form.tsx';
import { BrowseSection } from './parts/browse-section.tsx';
import { HealthSection } from './parts/health-section.tsx';
import { TestOutcome } from './parts/test-outcome.tsx';
import { type ConnectorType, useConnectorTypes } from './parts/use-connector-types.ts';
import { UseSection } from './parts/use-section.tsx';

const exactly = { exact: true, includeSearch: true } as const;
const route = getRouteApi('/signed-in/connectors/$id');

/** One connector: its settings, a test, what it gives, and where it is used. */
export function ConnectorScreen(): ReactNode {
  const api = useApi();
  const id = Number(route.useParams().id);
  const { connectors } = useTexts();
  const search = route.useSearch();
  const { view, resource } = search;
  const mayLook = useMay('editor');
  const types = useConnectorTypes();
  const query = useQuery({
    queryKey: ['connector', id],
    queryFn: ({ signal }) => api.GET('/api/connectors/{id}', { params: { path: { id } }, signal }),
  });
  const { data } = query;
  return (
    <Screen
      title={data?.name ?? connectors.title}
      above={
        <p className="screen-above">
          <Link to="/connectors">{connectors.title}</Link>
        </p>
      }
      facts={data && <Facts connector={data} />}
      actions={data && mayLook && <Actions connector={data} />}
    >
      <Loaded query={query}>
        {(connector) => (
          <>
            <nav className="switch" aria-label={connectors.views}>
              <Link to="/connectors/$id" params={{ id: String(id) }} search={{}} activeOptions={exactly}>
                {connectors.settings}
              </Link>
              {mayLook && canBrowse(types.data, connector) && (
                <Link
                  to="/connectors/$id"
                  params={{ id: String(id) }}
                  search={view === 'browse' && resource !== undefined ? search : { view: 'browse' }}
                  activeOptions={exactly}
                >
                  {connectors.browse}
                </Link>
              )}
              <Link
                to="/connectors/$id"
                params={{ id: String(id) }}
                search={{ view: 'jobs' }}
                activeOptions={exactly}
              >
                {connectors.uses}
              </Link>
              <Link
                to="/connectors/$id"
                params={{ id: String(id) }}
                search={{ view: 'health' }}
                activeOptions={exactly}
              >
                {connectors.health.title}
              </Link>
            </nav>
            {view === undefined && <Settings connector={connector} />}
            {view === 'browse' && (
              <BrowseSection
                key={id}
                id={id}
                account={accountOf(connector)}
                resource={resource}
                rowView={rowView(search)}
              />
            )}
            {view === 'jobs' && <UseSection id={id} />}
            {view === 'health' && <HealthSection id={id} />}
          </>
        )}
      </Loaded>
    </Screen>
  );
}

/** What is only written to gives nothing to look at. */
function canBrowse(types: readonly ConnectorType[] | undefined, { type }: Connector): boolean {
  return types?.find((one) => one.type === type)?.capabilities.introspect !== false;
}

function accountOf({ config }: Connector): string | null {
  const account = config['integrated_account_id'];
  return typeof account === 'string' ? account : null;
}

function Facts({ connector }: { readonly connector: Connector }): ReactNode {
  const { connectors } = useTexts();
  const title = useConnectorTypes().data?.find(({ type }) => type === connector.type)?.title;
  return (
    <ul className="facts">
      <li>{title ?? connector.type}</li>
      <li>
        {connectors.changed} <When at={connector.updated_at} />
        {connector.updated_by !== null && ` · ${connector.updated_by}`}
      </li>
      {connector.description !== null && <li>{connector.description}</li>}
    </ul>
  );
}

function Actions({ connector: { id, name } }: { readonly connector: Connector }): ReactNode {
  const api = useApi();
  const { connectors, frame } = useTexts();
  const client = useQueryClient();
  const navigate = route.useNavigate();
  const mayRemove = useMay('admin');
  const [isAsked, setAsked] = useState(false);
  const test = useMutation({
    mutationFn: () => api.POST('/api/connectors/{id}/test', { params: { path: { id } } }),
  });
  const remove = useMutation({
    mutationFn: () => api.DELETE('/api/connectors/{id}', { params: { path: { id } } }),
    onSuccess() {
      void client.invalidateQueries({ queryKey: ['connectors'] });
      void navigate({ to: '/connectors' });
    },
  });
  return (
    <>
      <button type="button" className="button" disabled={test.isPending} onClick={() => test.mutate()}>
        {connectors.test}
      </button>
      <PaletteAction label={connectors.test} run={() => test.mutate()} />
      {mayRemove && (
        <button type="button" className="button" data-style="secondary" onClick={() => setAsked(true)}>
          {connectors.remove}
        </button>
      )}
      <TestOutcome test={test} />
      {isAsked && (
        <ConfirmDialog
          title={connectors.removeTitle(name)}
          confirm={connectors.remove}
          dismiss={frame.cancel}
          danger
          action={remove}
          onClose={() => setAsked(false)}
        >
          <p className="dialog-question">{connectors.removeHint}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function Settings({ connector }: { readonly connector: Connector }): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { connectors } = useTexts();
  const may = useMay('admin');
  const types = useConnectorTypes();
  const { id } = connector;
  // That which the fields were filled from, whatever is read meanwhile: nobody's change is overwritten unseen.
  const [filled, setFilled] = useState(connector);
  const [takes, setTakes] = useState(0);
  const keep = (saved: Connector) => {
    setFilled(saved);
    client.setQueryData(['connector', id], saved);
    void client.invalidateQueries({ queryKey: ['connectors'] });
  };
  return (
    <section className="panel" aria-label={connectors.settings}>
      {may ? (
        <Loaded query={types}>
          {(all) => {
            const type = all.find((one) => one.type === connector.type);
            if (type === undefined) return <JsonView title={connectors.settings} value={connector.config} />;
            return (
              <ConnectorForm
                key={takes}
                type={type}
                saved={filled}
                save={async (body, { version } = filled) => {
                  const params = { path: { id }, header: { 'If-Match': `"${version}"` } };
                  keep(await api.PUT('/api/connectors/{id}', { params, body }));
                }}
                conflict={{
                  read: (signal) => api.GET('/api/connectors/{id}', { params: { path: { id } }, signal }),
                  onTake(theirs) {
                    keep(theirs);
                    setTakes(takes + 1);
                  },
                }}
              />
            );
          }}
        </Loaded>
      ) : (
        <JsonView title={connectors.settings} value={connector.config} />
      )}
      <ScriptSection
        subject={connectors.test}
        calls={[
          {
            method: 'POST',
            path: `/api/connectors/${id}/test`,
            command: ['connectors', 'test', String(id)],
          },
        ]}
      />
    </section>
  );
}
