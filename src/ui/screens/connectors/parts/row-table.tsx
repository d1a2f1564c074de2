import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { Pages, usePages } from '../../../frame/records/pages.tsx';
import { ValueTable } from '../../../frame/records/value-table.tsx';
import { type RowView, requestOf, rowView } from '../../../frame/row-view/row-view.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { useSettled } from '../../../kit/use-settled.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { SaveView } from './saved-views.tsx';
import { ViewBar } from './view-bar.tsx';

const rowsPerPage = 50;
const staleMs = 60_000;
const settledMs = 300;

interface RowTableProps {
  readonly id: number;
  readonly resource: string;
  readonly view: RowView;
}

/** Columns and rows of a resource, page by page. */
export function RowTable({ id, resource, view }: RowTableProps): ReactNode {
  const api = useApi();
  const navigate = useNavigate();
  const all = useQuery({
    queryKey: ['connector', id, 'columns', resource],
    queryFn: ({ signal }) =>
      api.POST('/api/connectors/{id}/explore', {
        params: { path: { id } },
        body: { resource, limit: 1 },
        signal,
      }),
    select: (answer) => answer.columns,
    staleTime: staleMs,
  }).data;
  // The connector is not asked for each letter that is typed.
  const settled = useSettled(JSON.stringify(requestOf(view, all ?? [])), settledMs);
  const request = useMemo(() => JSON.parse(settled) as ReturnType<typeof requestOf>, [settled]);
  const { connectors } = useTexts();
  const query = usePages(
    ['connector', id, 'rows', resource, request],
    async (page, signal) => {
      const { rows, ...rest } = await api.POST('/api/connectors/{id}/explore', {
        params: { path: { id } },
        body: { resource, limit: rowsPerPage, ...request, ...page },
        signal,
      });
      return { ...rest, result: rows };
    },
    { isLive: false, staleMs, keepsBefore: true },
  );
  const columns = query.data?.pages[0]?.columns ?? [];
  return (
    <>
      <ViewBar
        known={all ?? []}
        view={view}
        onChange={(next) =>
          void navigate({
            to: '/connectors/$id',
            params: { id: String(id) },
            search: { view: 'browse', resource, ...rowView({ ...next }) },
            replace: true,
            resetScroll: false,
          })
        }
      />
      <SaveView id={id} resource={resource} view={view} columns={all ?? []} />
      {columns.length > 0 && <p className="field-hint">{connectors.columns(columns.length)}</p>}
      <Pages query={query} empty={connectors.noRows(columns.map(({ name }) => name).join(', '))}>
        {(rows) => <ValueTable label={connectors.rowsOf(resource)} columns={columns} rows={rows} />}
      </Pages>
    </>
  );
}
