import type { ReactNode } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import { Icon } from '../../kit/icon.tsx';
import { useTexts } from '../../texts/texts-context.tsx';

interface ProblemProps {
  readonly error: Error;
  /** Left out where trying again cannot help. */
  onRetry?(): void;
}

/** Why something cannot be shown, in place of it. */
export function Problem({ error, onRetry }: ProblemProps): ReactNode {
  const { frame } = useTexts();
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div className="problem" role="alert">
      <Icon name="alert" size={20} />
      <div>
        <p className="problem-title">{frame.problem[kindOf(error)]}</p>
        <p>{error.message}</p>
        {requestId !== null && <p className="problem-id">{frame.problem.requestId(requestId)}</p>}
        {onRetry && (
          <button type="button" className="button" data-style="secondary" onClick={onRetry}>
            {frame.retry}
          </button>
        )}
      </div>
    </div>
  );
}

function kindOf(error: Error): 'unreachable' | 'forbidden' | 'notFound' | 'other' {
  const status = error instanceof ApiError ? error.status : null;
  if (status === 0) return 'unreachable';
  if (status === 403) return 'forbidden';
  return status === 404 ? 'notFound' : 'other';
}
