import type { ReactNode } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import { useTexts } from '../../texts/texts-context.tsx';

/** Why a form was refused, above its button; announced when it appears. */
export function FormProblem({ error }: { readonly error: Error | null }): ReactNode {
  const { frame } = useTexts();
  const isUnreachable = error instanceof ApiError && error.status === 0;
  const details =
    error instanceof ApiError ? error.details.filter((one) => one.message !== error.message) : [];
  return (
    <div role="alert" className="form-problem">
      {error !== null && <p>{isUnreachable ? frame.problem.unreachable : error.message}</p>}
      {details.length > 0 && (
        <ul>
          {details.map(({ path, message }) => (
            <li key={`${path} ${message}`}>{message}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
