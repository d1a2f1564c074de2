import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';
import { useConnection } from '../state/connection.ts';
import { Problem } from './problem.tsx';

interface LoadedProps<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch' | 'isFetching'>;
  /** Lines of the placeholder: about the height of what comes. */
  readonly lines?: number;
  children(data: T): ReactNode;
}

const linesDefault = 5;

/**
 * The one way from a query to the screen: a placeholder until there is data, the reason if there is none; data that could not be
 * refreshed stays, with the reason above it, unless the server is lost, which the frame says for all.
 */
export function Loaded<T>({ query, lines = linesDefault, children }: LoadedProps<T>): ReactNode {
  const { data, error, refetch } = query;
  const isLost = useConnection() === 'lost';
  const retry = () => void refetch();
  if (data === undefined)
    return error === null ? <Placeholder lines={lines} /> : <Problem error={error} onRetry={retry} />;
  const isUnanswered = error !== null && 'status' in error && error.status === 0;
  const isSaidElsewhere = isUnanswered && (isLost || query.isFetching);
  return (
    <>
      {error !== null && !isSaidElsewhere && <Problem error={error} onRetry={retry} />}
      {children(data)}
    </>
  );
}

export function Placeholder({ lines }: { readonly lines: number }): ReactNode {
  const { frame } = useTexts();
  return (
    <div className="placeholder" role="status" aria-label={frame.loading}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are alike and never move
        <div key={line} className="skeleton" />
      ))}
    </div>
  );
}
