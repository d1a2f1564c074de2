import type { ReactNode } from 'react';
import { Pages, usePages } from '../../../frame/records/pages.tsx';
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
  const query = usePages(
    ['connector', id, 'rows', resource],
    async (page, signal) => {
      const { rows, ...rest } = await api.POST('/api/connectors/{id}/explore', {
        params: { path: { id } },
        body: { resource, limit: rowsPerPage, ...page },
        signal,
      });
      return { ...rest, result: rows };
    },
    { isLive: false, staleMs },
  );
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
