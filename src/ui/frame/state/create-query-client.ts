import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../client/api-error.ts';
import type { ConnectionState } from './connection.ts';

const retriesMax = 2;
const staleMs = 5_000;

interface QueryClientDeps {
  report(state: ConnectionState): void;
  /** Called when the server has not accepted the session of a request. */
  onRefusal(): void;
}

/**
 * The cache of everything that screens read. What may succeed soon is tried again; every answer and every failure says whether the
 * server is reachable, and whether the session still holds.
 */
export function createQueryClient({ report, onRefusal }: QueryClientDeps): QueryClient {
  const onError = (error: Error) => {
    if (!(error instanceof ApiError)) return;
    if (error.status === 0) report('lost');
    if (error.status === 401) onRefusal();
  };
  const onSuccess = () => report('ok');
  return new QueryClient({
    queryCache: new QueryCache({ onError, onSuccess }),
    mutationCache: new MutationCache({
      onError: (error, _input, _result, { meta }) => {
        if (meta?.['isSignIn'] !== true) onError(error);
      },
      onSuccess,
    }),
    defaultOptions: {
      queries: {
        staleTime: staleMs,
        networkMode: 'always',
        retry: (failures, error) => isWorthRetrying(error) && failures < retriesMax,
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** A server that is lost is asked by the connection, and everything is read again once it is back. */
function isWorthRetrying(error: unknown): boolean {
  // What a connector refuses, it refuses again.
  if (!(error instanceof ApiError) || error.code === 'CONNECTOR_ERROR') return false;
  return error.status === 429 || error.status >= 500;
}
