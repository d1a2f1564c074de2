import type { ReactNode } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { areAllAt, problemsElsewhere } from './field-problems.ts';

interface FormProblemProps {
  readonly error: Error | null;
  /** The API's names of fields that show their own problems. */
  readonly fields?: readonly string[] | undefined;
}

const noFields: readonly string[] = [];

/** Why a form was refused, above its button; announced when it appears. */
export function FormProblem({ error, fields = noFields }: FormProblemProps): ReactNode {
  const { frame } = useTexts();
  const isUnreachable = error instanceof ApiError && error.status === 0;
  const details = problemsElsewhere(error, fields).filter((message) => message !== error?.message);
  return (
    <div role="alert" className="form-problem">
      {error !== null && !areAllAt(error, fields) && (
        <p>{isUnreachable ? frame.problem.unreachable : error.message}</p>
      )}
      {details.length > 0 && (
        <ul>
          {[...new Set(details)].map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
