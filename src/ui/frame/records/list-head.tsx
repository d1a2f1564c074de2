import type { ReactNode } from 'react';

interface ListColumn {
  readonly label: string;
  /** Left out on a narrow screen. */
  readonly isWide?: boolean;
  /** Its values are figures, which stand at the right. */
  readonly isFigure?: boolean;
}

/** A column of figures of this name. */
export function asFigure(label: string): ListColumn {
  return { label, isFigure: true };
}

interface ListHeadProps {
  readonly columns: readonly ListColumn[];
  /** Further headers, after these. */
  readonly children?: ReactNode;
}

/** The headers of a list of records. */
export function ListHead({ columns, children }: ListHeadProps): ReactNode {
  return (
    <thead>
      <tr>
        {columns.map(({ label, isWide, isFigure }) => (
          <th
            key={label}
            scope="col"
            className={isWide ? 'wide-only' : undefined}
            data-align={isFigure ? 'right' : undefined}
          >
            {label}
          </th>
        ))}
        {children}
      </tr>
    </thead>
  );
}
