import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ScriptSection } from '../../frame/forms/script-section.tsx';
import { Screen } from '../../frame/layout/screen.tsx';
import { Filter } from '../../frame/records/filter.tsx';
import { ListHead } from '../../frame/records/list-head.tsx';
import { When } from '../../frame/records/moments.tsx';
import { Pages, usePages } from '../../frame/records/pages.tsx';
import { SearchFilter } from '../../frame/records/search-field.tsx';
import { useMay } from '../../frame/session/role.ts';
import { useApi } from '../../frame/state/api-context.ts';
import { Icon } from '../../kit/icon.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { type ConnectorsSearch, connectorsSearch, healthStatuses } from './connector-searches.ts';
import type { Connector } from './form/connector-form.tsx';
import { HealthBadge } from './parts/health-badge.tsx';
import { HealthTable } from './parts/health-table.tsx';
import { useConnectorTypes } from './parts/use-connector-types.ts';
import { useTroubled } from './parts/use-troubled.ts';

const route = getRouteApi('/signed-in/connectors');

/** The saved connectors. */
export function ConnectorsScreen(): ReactNode {
  const { connectors } = useTexts();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay('admin');
  const change = (next: ConnectorsSearch) =>
    void navigate({ search: connectorsSearch({ ...next }), replace: true, resetScroll: false });
  return (
    <Screen
      title={connectors.title}
      actions={
        may && (
          <Link to="/connectors/new" className="button">
            <Icon name="plus" />
            {connectors.new}
          </Link>
        )
      }
    >
      <section className="panel" aria-label={connectors.title}>
        <ConnectorFilters search={search} onChange={change} />
        {search.status === undefined ? <AllConnectors search={search} /> : <ConnectorsOf search={search} />}
      </section>
    </Screen>
  );
}

function AllConnectors({ search }: { readonly search: ConnectorsSearch }): ReactNode {
  const api = useApi();
  const { connectors } = useTexts();
  const { status: _, ...others } = search;
  const filters = { ...others, sort: 'name' as const };
  const query = usePages(
    ['connectors', filters],
    (page, signal) => api.GET('/api/connectors', { params: { query: { ...filters, ...page } }, signal }),
    { isLive: false, keepsBefore: true },
  );
  return (
    <>
      <Pages query={query} empty={Object.keys(search).length > 0 ? connectors.noMatches : connectors.none}>
        {(records) => <ConnectorTable records={records} />}
      </Pages>
      <ScriptSection
        calls={[{ method: 'GET', path: '/api/connectors', query: filters, command: commandOf(search) }]}
      />
    </>
  );
}

/** Those of one status, with since when they have it. */
function ConnectorsOf({ search }: { readonly search: ConnectorsSearch }): ReactNode {
  const api = useApi();
  const { connectors } = useTexts();
  const filters = { ...search, sort: 'name' as const };
  const query = usePages(
    ['connectors', 'health', filters],
    (page, signal) =>
      api.GET('/api/connectors/health', { params: { query: { ...filters, ...page } }, signal }),
    { isLive: true, keepsBefore: true },
  );
  return (
    <>
      <Pages query={query} empty={connectors.noMatches}>
        {(records) => <HealthTable records={records} />}
      </Pages>
      <ScriptSection calls={[{ method: 'GET', path: '/api/connectors/health', query: filters }]} />
    </>
  );
}

function commandOf({ q, type }: ConnectorsSearch): readonly string[] {
  return ['connectors', 'list', ...(q ? [q] : []), ...(type ? ['--type', type] : [])];
}

interface ConnectorFiltersProps {
  readonly search: ConnectorsSearch;
  onChange(search: ConnectorsSearch): void;
}

function ConnectorFilters({ search, onChange }: ConnectorFiltersProps): ReactNode {
  const { connectors, runs } = useTexts();
  const types = useConnectorTypes().data ?? [];
  return (
    <form className="filters" aria-label={runs.filters} onSubmit={(event) => event.preventDefault()}>
      <SearchFilter
        label={connectors.search}
        value={search.q ?? ''}
        onChange={(q) => onChange({ ...search, q })}
      />
      <Filter
        label={connectors.type}
        options={types.map(({ type, title }) => [type, title])}
        value={search.type}
        onChange={(type) => onChange({ ...search, type })}
      />
      <Filter
        label={connectors.health.title}
        options={healthStatuses.map((status) => [status, connectors.health.statuses[status]])}
        value={search.status}
        onChange={(status) => onChange(connectorsSearch({ ...search, status }))}
      />
    </form>
  );
}

/** Nothing where it works. */
function Trouble({ status }: { readonly status: 'failing' | 'degraded' | undefined }): ReactNode {
  if (status === undefined) return null;
  return (
    <>
      {' '}
      <HealthBadge status={status} />
    </>
  );
}

function ConnectorTable({ records }: { readonly records: readonly Connector[] }): ReactNode {
  const { connectors } = useTexts();
  const troubled = useTroubled();
  const types = new Map((useConnectorTypes().data ?? []).map(({ type, title }) => [type, title]));
  return (
    <table className="list run-list">
      <ListHead
        columns={[
          { label: connectors.name },
          { label: connectors.type },
          { label: connectors.changed, isWide: true },
        ]}
      />
      <tbody>
        {records.map((record) => (
          <tr key={record.id}>
            <td>
              <Link to="/connectors/$id" params={{ id: String(record.id) }} className="record-link">
                {record.name}
              </Link>
              <Trouble status={troubled.get(record.id)} />
              {record.description !== null && <p className="record-facts">{record.description}</p>}
            </td>
            <td>{types.get(record.type) ?? record.type}</td>
            <td className="wide-only">
              <When at={record.updated_at} />
              {record.updated_by !== null && <p className="record-facts">{record.updated_by}</p>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
