import { type ReactNode, useContext, useMemo, useState } from 'react';
import { EmptyState } from '../kit/empty-state.tsx';
import { formatValue } from '../kit/format-value.ts';
import { Icon } from '../kit/icon.tsx';
import { SearchBox } from '../kit/search-box.tsx';
import { DataRows, HeaderCell } from '../kit/table/table-cell.tsx';
import type { TableColumn, TableRow, TableSort } from '../kit/table/table-rows.ts';
import { alignOf, nextSort, searchRows, sortParam, sortRows, toCsv } from '../kit/table/table-rows.ts';
import { PrintingContext } from '../kit/widget/printing-context.ts';
import type { WidgetBodyProps } from '../kit/widget/widget-body.ts';
import { flagOf, listOf, objectOf } from '../kit/widget/widget-config.ts';
import { useWidgetHost } from '../kit/widget/widget-host.ts';
import type { WidgetWords } from '../texts/en/widgets/widgets.ts';
import { useWords } from '../texts/words-context.ts';

interface TablePayload {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  readonly total: number | null;
  readonly truncated: boolean;
}

const rowsShownStep = 100;

/**
 * A bounded set of records, sorted and searched in the browser. If it is only the first part of a larger set, the texts say so, and
 * the export comes from the server, with all records.
 */
export function TableWidget({ widgetId, data, config, title }: WidgetBodyProps): ReactNode {
  const words = useWords();
  const { calls } = useWidgetHost();
  const isPrinting = useContext(PrintingContext);
  const payload = objectOf<TablePayload>(data, 'a table');
  const columns = listOf(payload.columns, 'a list of columns');
  const rows = listOf(payload.rows, 'a list of rows');
  const [sort, setSort] = useState<TableSort | null>(null);
  const [search, setSearch] = useState('');
  const [shownMax, setShownMax] = useState(rowsShownStep);
  const found = useMemo(
    () => sortRows(searchRows(rows, columns, search), sort),
    [rows, columns, search, sort],
  );
  if (rows.length === 0) return <EmptyState>{words.noRecords}</EmptyState>;
  const shown = isPrinting ? found : found.slice(0, shownMax);
  return (
    <div className="table">
      {flagOf(config, 'searchable') && <SearchBox title={title} value={search} onChange={setSearch} />}
      <div className="table-room">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <section className="table-scroll" aria-label={words.table.name(title)} tabIndex={0}>
          <table aria-label={title}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <HeaderCell
                    key={column.key}
                    column={column}
                    align={alignOf(column, rows)}
                    sort={sort?.key === column.key ? sort.direction : undefined}
                    onSort={() => setSort(nextSort(sort, column.key))}
                  />
                ))}
              </tr>
            </thead>
            <DataRows columns={columns} shown={shown} rows={rows} />
          </table>
          {shown.length === 0 && <p className="table-none">{noneWords(search, payload, words)}</p>}
          {found.length > shown.length && (
            <button
              type="button"
              className="text-button"
              onClick={() => setShownMax(shownMax + rowsShownStep)}
            >
              {words.table.more(Math.min(rowsShownStep, found.length - shown.length))}
            </button>
          )}
        </section>
      </div>
      <div className="table-foot">
        <p>{countWords(rows.length, found.length, payload, words)}</p>
        {flagOf(config, 'export') && payload.truncated && (
          <a
            className="text-button"
            href={calls.exportUrl(widgetId, 'csv', {
              sort: sortParam(sort),
              search: search.trim(),
              filters: {},
            })}
            download
          >
            <Icon name="download" size={14} /> CSV
          </a>
        )}
        {flagOf(config, 'export') && !payload.truncated && (
          <button type="button" className="text-button" onClick={() => saveCsv(title, toCsv(columns, found))}>
            <Icon name="download" size={14} /> CSV
          </button>
        )}
      </div>
    </div>
  );
}

function countWords(
  rows: number,
  found: number,
  payload: Partial<TablePayload>,
  { table: words }: WidgetWords,
): string {
  const count = (value: number) => formatValue(value, 'integer');
  if (found !== rows) return words.matches(count(found), count(rows), payload.truncated === true);
  if (payload.truncated) {
    return typeof payload.total === 'number' && payload.total > rows
      ? words.firstOf(count(rows), count(payload.total))
      : words.first(count(rows));
  }
  return words.records(rows, count(rows));
}

function noneWords(
  search: string,
  { rows, truncated }: Partial<TablePayload>,
  { table: words }: WidgetWords,
): string {
  return truncated ? words.nothingAmong(search, formatValue(rows?.length, 'integer')) : words.nothing(search);
}

function saveCsv(title: string, csv: string): void {
  const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'table'}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}
