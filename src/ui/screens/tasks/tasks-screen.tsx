import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../../client/openapi-types.ts';
import { DefinitionListScreen } from '../../frame/definitions/definition-list-screen.tsx';
import { ListHead } from '../../frame/records/list-head.tsx';
import { When } from '../../frame/records/moments.tsx';
import { useApi } from '../../frame/state/api-context.ts';
import { Icon } from '../../kit/icon.tsx';
import { useTexts } from '../../texts/texts-context.tsx';

export type Task = components['schemas']['Task'];
const route = getRouteApi('/signed-in/tasks');
const fields = 'id,name,description,version,connectors,updated_at,updated_by';

/** The task definitions by name. */
export function TasksScreen(): ReactNode {
  const api = useApi();
  const { tasks } = useTexts();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <DefinitionListScreen
      title={tasks.title}
      listKey="tasks"
      fields={fields}
      search={search}
      add={
        <Link to="/tasks/new" className="button">
          <Icon name="plus" />
          {tasks.new}
        </Link>
      }
      none={tasks.none}
      noMatches={tasks.noMatches}
      read={(query, signal) => api.GET('/api/tasks', { params: { query }, signal })}
      onSearch={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
    >
      {(records) => <TaskTable records={records} />}
    </DefinitionListScreen>
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
                {name} <span className="record-id">#{id}</span>
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
