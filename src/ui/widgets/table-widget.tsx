import { type ReactNode, useId, useMemo, useState } from 'react';
import { formatValue, noValue } from '../format/format-value.ts';
import { Icon } from '../share/icon.tsx';
import { SafeLink } from '../text/markdown.tsx';
import { EmptyState } from './empty-state.tsx';
import type { TableColumn, TableRow, TableSort } from './table-rows.ts';
import { alignOf, nextSort, searchRows, sortRows, toCsv } from './table-rows.ts';
import type { WidgetBodyProps } from './widget-body.ts';
import { flagOf, listOf, objectOf, toneOf } from './widget-config.ts';

interface TablePayload {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  readonly total: number | null;
  readonly truncated: boolean;
}

const rowsShownStep = 100;

/** A bounded set of records: sorted and searched in the page, since all of it is there. */
export function TableWidget({ data, config, title }: WidgetBodyProps): ReactNode {
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
  if (rows.length === 0) return <EmptyState>There are no records</EmptyState>;
  const shown = found.slice(0, shownMax);
  return (
    <div className="table">
      {flagOf(config, 'searchable') && <SearchBox title={title} value={search} onChange={setSearch} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="table-scroll" aria-label={`${title}, table`} tabIndex={0}>
        <table>
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
          <tbody>
            {shown.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: records carry no identity that the page knows
              <tr key={index}>
                {columns.map((column) => (
                  <td key={column.key} data-align={alignOf(column, rows)}>
                    <Cell column={column} row={row} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {shown.length === 0 && <p className="table-none">Nothing matches “{search}”</p>}
        {found.length > shown.length && (
          <button type="button" className="text-button" onClick={() => setShownMax(shownMax + rowsShownStep)}>
            Show {Math.min(rowsShownStep, found.length - shown.length)} more
          </button>
        )}
      </section>
      <div className="table-foot">
        <p>{countWords(rows.length, found.length, payload)}</p>
        {flagOf(config, 'export') && (
          <button type="button" className="text-button" onClick={() => saveCsv(title, toCsv(columns, found))}>
            <Icon name="download" size={14} /> CSV
          </button>
        )}
      </div>
    </div>
  );
}

interface HeaderCellProps {
  readonly column: TableColumn;
  readonly align: string;
  readonly sort: TableSort['direction'] | undefined;
  onSort(): void;
}

function HeaderCell({ column, align, sort, onSort }: HeaderCellProps): ReactNode {
  return (
    <th scope="col" data-align={align} aria-sort={sort}>
      <button type="button" onClick={onSort}>
        {column.label ?? column.key}
        <svg width="8" height="12" viewBox="0 0 8 12" aria-hidden="true" data-sort={sort}>
          <path className="sort-up" d="M4 1 7 5H1Z" />
          <path className="sort-down" d="M4 11 1 7h6Z" />
        </svg>
      </button>
    </th>
  );
}

function Cell({ column, row }: { readonly column: TableColumn; readonly row: TableRow }): ReactNode {
  const value = row[column.key];
  const text = formatValue(value, column.format);
  if (text === noValue) return <span className="absent">{noValue}</span>;
  const href = column.href ? row[column.href] : null;
  const content = href ? <SafeLink href={href}>{text}</SafeLink> : text;
  if (!column.badge) return content;
  const tone = typeof column.badge === 'object' ? toneOf(column.badge[String(value)]) : toneOf(value);
  return (
    <span className="badge" data-tone={tone}>
      {content}
    </span>
  );
}

interface SearchBoxProps {
  readonly title: string;
  readonly value: string;
  onChange(text: string): void;
}

function SearchBox({ title, value, onChange }: SearchBoxProps): ReactNode {
  const id = useId();
  return (
    <div className="table-search">
      <Icon name="search" size={14} />
      <label htmlFor={id} className="visually-hidden">
        Search in {title}
      </label>
      <input
        id={id}
        type="search"
        placeholder="Search"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

function countWords(rows: number, found: number, payload: Partial<TablePayload>): string {
  const count = (value: number) => formatValue(value, 'integer');
  if (found !== rows) return `${count(found)} of ${count(rows)} records match`;
  if (payload.truncated) {
    return typeof payload.total === 'number' && payload.total > rows
      ? `First ${count(rows)} of ${count(payload.total)} records`
      : `First ${count(rows)} records`;
  }
  return rows === 1 ? '1 record' : `${count(rows)} records`;
}

function saveCsv(title: string, csv: string): void {
  const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'table'}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}
