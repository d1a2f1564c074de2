import type { ReactNode } from 'react';

interface FactRowProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** One fact in a table of facts. */
export function FactRow({ label, children }: FactRowProps): ReactNode {
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>{children}</td>
    </tr>
  );
}
