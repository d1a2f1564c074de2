import type { ReactNode } from 'react';
import { cellText } from './letter-text.ts';

interface ValueTableProps {
  readonly label: string;
  readonly columns: readonly { readonly name: string; readonly type?: string }[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Rows of data as they are: texts plain, everything else as JSON. It scrolls sideways where there are many columns. */
export function ValueTable({ label, columns, rows }: ValueTableProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls where there are many columns
    <section className="scroller" aria-label={label} tabIndex={0}>
      <table className="list row-table">
        <thead>
          <tr>
            {columns.map(({ name, type }) => (
              <th key={name} scope="col">
                {name} {type !== undefined && <span className="record-id">{type}</span>}
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
  );
}
