import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../client/api-error.ts';
import type { Connection } from './connection.ts';

const retriesMax = 2;
const staleMs = 5_000;

interface QueryClientDeps {
  readonly connection: Pick<Connection, 'report' | 'doubt'>;
  /** Called when the server has not accepted the session of a request. */
  onRefusal(): void;
}

/**
 * The cache of everything that screens read. What may succeed soon is tried again; every answer and every failure says whether the
 * server is reachable, and whether the session still holds. A request that has no answer of a server that answers others, as behind a
 * proxy that cuts it, is its screen's own problem.
 */
export function createQueryClient({ connection, onRefusal }: QueryClientDeps): QueryClient {
  /** Read once more, without an answer from a server that answers others. */
  const unanswered = new WeakSet<AnyQuery>();
  const readAgain = async (query: AnyQuery) => {
    const isLost = await connection.doubt();
    if (isLost || unanswered.has(query) || !query.isActive()) return;
    unanswered.add(query);
    await query.fetch().catch(() => undefined);
  };
  const onError = (error: Error, onUnanswered: () => Promise<unknown>) => {
    if (!(error instanceof ApiError)) return;
    if (error.status === 0) void onUnanswered();
    if (error.status === 401) onRefusal();
  };
  const onSuccess = () => connection.report('ok');
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => onError(error, () => readAgain(query)),
      onSuccess(_data, query) {
        onSuccess();
        unanswered.delete(query);
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _input, _result, { meta }) => {
        if (meta?.['isSignIn'] !== true) onError(error, connection.doubt);
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

type AnyQuery = Query<unknown, unknown>;

/** A server that is lost is asked by the connection, and everything is read again once it is back. */
function isWorthRetrying(error: unknown): boolean {
  // What a connector refuses, it refuses again.
  if (!(error instanceof ApiError) || error.code === 'CONNECTOR_ERROR') return false;
  return error.status === 429 || error.status >= 500;
}
