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
import { templatesSearch } from './template-searches.ts';

type Template = Partial<components['schemas']['JobTemplate']>;
const route = getRouteApi('/signed-in/templates');
const fields = 'id,name,description,version,updated_at,updated_by';

/** The job templates by name. */
export function TemplatesScreen(): ReactNode {
  const api = useApi();
  const { templates } = useTexts();
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
    queryKey: ['job-templates', 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      api.GET('/api/job-templates', {
        params: { query: { ...filters, ...(pageParam !== undefined && { cursor: pageParam }) } },
        signal,
      }),
    placeholderData: (before) => before,
  });
  const change = (next: Readonly<Record<string, unknown>>) =>
    void navigate({ search: templatesSearch(next), replace: true, resetScroll: false });
  return (
    <Screen
      title={templates.title}
      actions={
        may && (
          <Link to="/templates/new" className="button">
            <Icon name="plus" />
            {templates.new}
          </Link>
        )
      }
    >
      <section className="panel" aria-label={templates.title}>
        <DefinitionFilters search={search} onChange={change} />
        <Pages query={query} empty={Object.keys(search).length > 0 ? templates.noMatches : templates.none}>
          {(records) => <TemplateTable records={records} />}
        </Pages>
      </section>
    </Screen>
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
                {name} <span className="record-id">{id}</span>
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
