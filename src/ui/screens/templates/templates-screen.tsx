import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../../client/openapi-types.ts';
import { DefinitionListScreen } from '../../frame/definitions/definition-list-screen.tsx';
import { ListHead } from '../../frame/records/list-head.tsx';
import { When } from '../../frame/records/moments.tsx';
import { useApi } from '../../frame/state/api-context.ts';
import { Icon } from '../../kit/icon.tsx';
import { useTexts } from '../../texts/texts-context.tsx';

type Template = Partial<components['schemas']['JobTemplate']>;
const route = getRouteApi('/signed-in/templates');
const fields = 'id,name,description,version,updated_at,updated_by';

/** The job templates by name. */
export function TemplatesScreen(): ReactNode {
  const api = useApi();
  const { templates } = useTexts();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <DefinitionListScreen
      title={templates.title}
      listKey="job-templates"
      fields={fields}
      search={search}
      add={
        <Link to="/templates/new" className="button">
          <Icon name="plus" />
          {templates.new}
        </Link>
      }
      none={templates.none}
      noMatches={templates.noMatches}
      read={(query, signal) => api.GET('/api/job-templates', { params: { query }, signal })}
      onSearch={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
    >
      {(records) => <TemplateTable records={records} />}
    </DefinitionListScreen>
  );
}

function TemplateTable({ records }: { readonly records: readonly Template[] }): ReactNode {
  const { tasks, jobs, connectors } = useTexts();
  return (
    <table className="list run-list">
      <ListHead
        columns={[
          { label: jobs.name },
          { label: tasks.version, isFigure: true },
          { label: connectors.changed, isWide: true },
        ]}
      />
      <tbody>
        {records.map(({ id, name, description, version, updated_at, updated_by }) => (
          <tr key={id}>
            <td>
              <Link to="/templates/$id" params={{ id: String(id) }} className="record-link">
                {name} <span className="record-id">#{id}</span>
              </Link>
              {description && <p className="record-facts">{description}</p>}
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
