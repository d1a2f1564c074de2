import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { cellText } from '../../../frame/records/letter-text.ts';
import { Pages, pages } from '../../../frame/records/pages.tsx';
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
        {(rows) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls where there are many columns
          <section className="scroller" aria-label={connectors.rowsOf(resource)} tabIndex={0}>
            <table className="list row-table">
              <thead>
                <tr>
                  {columns.map(({ name, type }) => (
                    <th key={name} scope="col">
                      {name} <span className="record-id">{type}</span>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((row, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity that the page knows
                  <tr key={index}>
                    {columns.map(({ name }) => (
                      <td key={name}>
                        <span className="cell-text">{cellText(row[name])}</span>
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </Pages>
    </>
  );
}
