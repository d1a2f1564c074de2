import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../../client/openapi-types.ts';
import { DefinitionFilters } from '../../frame/definitions/definition-filters.tsx';
import { Screen } from '../../frame/layout/screen.tsx';
import { ListHead } from '../../frame/records/list-head.tsx';
import { When } from '../../frame/records/moments.tsx';
import { Pages, pages } from '../../frame/records/pages.tsx';
import { useMay } from '../../frame/session/role.ts';
import { useApi } from '../../frame/state/api-context.ts';
import { Icon } from '../../kit/icon.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { tasksSearch } from './task-searches.ts';

export type Task = components['schemas']['Task'];
const route = getRouteApi('/signed-in/tasks');
const fields = 'id,name,description,version,connectors,updated_at,updated_by';

/** The task definitions by name. */
export function TasksScreen(): ReactNode {
  const api = useApi();
  const { tasks } = useTexts();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay('editor');
  const { q, archived } = search;
  const filters = {
    sort: 'name' as const,
    status: archived ? ('archived' as const) : ('active' as const),
    fields,
    ...(q && { q }),
  };
  const query = useInfiniteQuery({
    ...pages,
    refetchInterval: false as const,
    queryKey: ['tasks', 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      api.GET('/api/tasks', {
        params: { query: { ...filters, ...(pageParam !== undefined && { cursor: pageParam }) } },
        signal,
      }),
    placeholderData: (before) => before,
  });
  const change = (next: Readonly<Record<string, unknown>>) =>
    void navigate({ search: tasksSearch(next), replace: true, resetScroll: false });
  return (
    <Screen
      title={tasks.title}
      actions={
        may && (
          <Link to="/tasks/new" className="button">
            <Icon name="plus" />
            {tasks.new}
          </Link>
        )
      }
    >
      <section className="panel" aria-label={tasks.title}>
        <DefinitionFilters search={search} onChange={change} />
        <Pages query={query} empty={Object.keys(search).length > 0 ? tasks.noMatches : tasks.none}>
          {(records) => <TaskTable records={records} />}
        </Pages>
      </section>
    </Screen>
  );
}

function TaskTable({ records }: { readonly records: readonly Partial<Task>[] }): ReactNode {
  const { tasks, jobs, connectors } = useTexts();
  return (
    <table className="list run-list">
      <ListHead
        columns={[
          { label: jobs.name },
          { label: tasks.connectors, isWide: true },
          { label: tasks.version, isFigure: true },
          { label: connectors.changed, isWide: true },
        ]}
      />
      <tbody>
        {records.map(({ id, name, description, version, connectors: used, updated_at, updated_by }) => (
          <tr key={id}>
            <td>
              <Link to="/tasks/$id" params={{ id: String(id) }} className="record-link">
                {name} <span className="record-id">{id}</span>
              </Link>
              {description && <p className="record-facts">{description}</p>}
            </td>
            <td className="wide-only">
              {[...new Set(Object.values(used ?? {}).map(({ type }) => type))].join(', ')}
            </td>
            <td data-align="right">{version}</td>
            <td className="wide-only">
              <When at={updated_at ?? null} />
              {updated_by && <p className="record-facts">{updated_by}</p>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
