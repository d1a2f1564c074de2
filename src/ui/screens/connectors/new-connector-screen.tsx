import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Loaded } from '../../frame/layout/loaded.tsx';
import { Screen } from '../../frame/layout/screen.tsx';
import { SearchFilter } from '../../frame/records/search-field.tsx';
import { useApi } from '../../frame/state/api-context.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { ConnectorForm } from './form/connector-form.tsx';
import { TestOutcome } from './parts/test-outcome.tsx';
import { type ConnectorType, useConnectorTypes } from './parts/use-connector-types.ts';

const route = getRouteApi('/signed-in/connectors/new');
const noTest = { data: undefined, error: null, isPending: false };

/** Whether a test was of what is typed now. */
function isOf(tested: Record<string, unknown> | undefined, config: Record<string, unknown> | null): boolean {
  return JSON.stringify(tested) === JSON.stringify(config);
}

/** A gallery of types, then the form of the chosen one. */
export function NewConnectorScreen(): ReactNode {
  const { connectors } = useTexts();
  const { type: chosen } = route.useSearch();
  const types = useConnectorTypes();
  const found = types.data?.find(({ type }) => type === chosen);
  const title = found === undefined ? connectors.new : connectors.newOf(found.title);
  return (
    <Screen title={title} above={<Above isChosen={found !== undefined} />}>
      <Loaded query={types}>
        {(all) => (found === undefined ? <Gallery types={all} /> : <NewForm key={found.type} type={found} />)}
      </Loaded>
    </Screen>
  );
}

function Above({ isChosen }: { readonly isChosen: boolean }): ReactNode {
  const { connectors } = useTexts();
  return (
    <p className="screen-above">
      <Link to="/connectors">{connectors.title}</Link>
      {isChosen && (
        <>
          {' · '}
          <Link to="/connectors/new">{connectors.otherType}</Link>
        </>
      )}
    </p>
  );
}

function Gallery({ types }: { readonly types: readonly ConnectorType[] }): ReactNode {
  const { connectors } = useTexts();
  const [q, setQ] = useState('');
  const wanted = q.trim().toLocaleLowerCase();
  const found = types.filter(({ type, title }) => `${type} ${title}`.toLocaleLowerCase().includes(wanted));
  return (
    <section className="panel" aria-label={connectors.types}>
      <div className="filters">
        <SearchFilter label={connectors.search} value={q} onChange={setQ} />
      </div>
      {found.length === 0 ? (
        <EmptyState>{connectors.noType}</EmptyState>
      ) : (
        <ul className="gallery">
          {found.map(({ type, title, capabilities }) => (
            <li key={type}>
              <Link to="/connectors/new" search={{ type }}>
                <span className="gallery-title">{title}</span>
                <span className="record-facts">
                  {capabilities.write.length === 0 ? connectors.readsOnly : connectors.readsAndWrites}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function NewForm({ type }: { readonly type: ConnectorType }): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const navigate = route.useNavigate();
  const { connectors } = useTexts();
  const test = useMutation({
    mutationFn: (config: Record<string, unknown>) =>
      api.POST('/api/connectors/test', { body: { type: type.type, config } }),
  });
  return (
    <section className="panel" aria-label={type.title}>
      <ConnectorForm
        type={type}
        saved={null}
        save={async (body) => {
          const { id } = await api.POST('/api/connectors', { body });
          void client.invalidateQueries({ queryKey: ['connectors'] });
          await navigate({ to: '/connectors/$id', params: { id: String(id) }, search: {} });
        }}
        test={{
          view: (config) => (
            <>
              <button
                type="button"
                className="button"
                data-style="secondary"
                disabled={config === null || test.isPending}
                onClick={() => config !== null && test.mutate(config)}
              >
                {connectors.test}
              </button>
              <TestOutcome test={isOf(test.variables, config) ? test : noTest} />
            </>
          ),
          error: (config) => (isOf(test.variables, config) ? test.error : null),
        }}
      />
    </section>
  );
}
