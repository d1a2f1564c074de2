import type { ReactNode } from 'react';
import { ApiError } from '../../../../client/api-error.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

interface Placed {
  readonly path: string;
  readonly message: string;
  readonly line?: number | undefined;
}

/** Why a bundle was refused, each reason with its line. */
export function WhereProblem({ error }: { readonly error: Error | null }): ReactNode {
  const { frame, bundles } = useTexts();
  if (error === null) return null;
  if (!(error instanceof ApiError)) return <p role="alert">{error.message}</p>;
  const message =
    error.status === 0
      ? frame.problem.unreachable
      : error.status === 409
        ? bundles.import.changed
        : error.message;
  const placed = error.details.filter((one) => one.line !== undefined || one.message !== error.message);
  return (
    <div role="alert" className="form-problem">
      <p>{message}</p>
      <PlaceList problems={placed} />
    </div>
  );
}

interface PlaceListProps {
  readonly title?: string;
  readonly problems: readonly Placed[];
}

/** Problems with their lines, where they have one. */
export function PlaceList({ title, problems }: PlaceListProps): ReactNode {
  const { editor } = useTexts();
  if (problems.length === 0) return null;
  return (
    <ul className="bundle-problems" data-tone={title === undefined ? 'danger' : 'warning'}>
      {problems.map(({ path, message, line }) => (
        <li key={`${path} ${line} ${message}`}>
          {title !== undefined && `${title}: `}
          {line === undefined ? message : editor.at(line, message)}
        </li>
      ))}
    </ul>
  );
}
