import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Pages, pages } from '../../../frame/records/pages.tsx';
import { ValueTable } from '../../../frame/records/value-table.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

const rowsPerPage = 50;
const staleMs = 60_000;

interface RowTableProps {
  readonly id: number;
  readonly resource: string;
}

/** Columns and rows of a resource, page by page. */
export function RowTable({ id, resource }: RowTableProps): ReactNode {
  const api = useApi();
  const { connectors } = useTexts();
  const query = useInfiniteQuery({
    ...pages,
    refetchInterval: false as const,
    queryKey: ['connector', id, 'rows', resource],
    queryFn: async ({ pageParam, signal }) => {
      const body = { resource, limit: rowsPerPage, ...(pageParam !== undefined && { cursor: pageParam }) };
      const { rows, ...page } = await api.POST('/api/connectors/{id}/explore', {
        params: { path: { id } },
        body,
        signal,
      });
      return { ...page, result: rows };
    },
    staleTime: staleMs,
  });
  const columns = query.data?.pages[0]?.columns ?? [];
  return (
    <>
      {columns.length > 0 && <p className="field-hint">{connectors.columns(columns.length)}</p>}
      <Pages query={query} empty={connectors.noRows(columns.map(({ name }) => name).join(', '))}>
        {(rows) => <ValueTable label={connectors.rowsOf(resource)} columns={columns} rows={rows} />}
      </Pages>
    </>
  );
}
