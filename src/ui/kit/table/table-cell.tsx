import type { ReactNode } from 'react';
import { noValue } from '../format-value.ts';
import { SafeLink } from '../text/markdown.tsx';
import { toneOf } from '../widget/widget-config.ts';
import { alignOf, type TableColumn, type TableRow, type TableSort, textOf } from './table-rows.ts';

interface HeaderCellProps {
  readonly column: TableColumn;
  readonly align: string;
  readonly sort: TableSort['direction'] | undefined;
  onSort(): void;
}

/** A column's header; pressing it sorts. */
export function HeaderCell({ column, align, sort, onSort }: HeaderCellProps): ReactNode {
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

/** A cell in its column's format, as a link or a badge if the column says so. */
function Cell({ column, row }: { readonly column: TableColumn; readonly row: TableRow }): ReactNode {
  const value = row[column.key];
  const text = textOf(column, value);
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

interface DataRowsProps {
  readonly columns: readonly TableColumn[];
  /** The rows to show. */
  readonly shown: readonly TableRow[];
  /** All rows, which decide how columns are aligned. */
  readonly rows: readonly TableRow[];
}

/** The body of a table of records. */
export function DataRows({ columns, shown, rows }: DataRowsProps): ReactNode {
  return (
    <tbody>
      {shown.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: records have no identity that the page knows
        <tr key={index}>
          {columns.map((column) => (
            <td key={column.key} data-align={alignOf(column, rows)}>
              <Cell column={column} row={row} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
