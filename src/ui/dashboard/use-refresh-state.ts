import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';

/** The freshness of the visible widgets. Times are in milliseconds since 1970. */
export interface RefreshState {
  readonly updatedAt: number | null;
  /** When the oldest data whose refresh is failing was loaded; null if there is none. */
  readonly staleSince: number | null;
  /** Whether the refresh of some widget is failing, with old data or without any. */
  readonly failing: boolean;
  readonly busy: boolean;
}

/** Watches the visible widgets; re-renders only when the state changes. */
export function useRefreshState(): RefreshState {
  const client = useQueryClient();
  const subscribe = useCallback(
    (listener: () => void) => client.getQueryCache().subscribe(listener),
    [client],
  );
  const text = useSyncExternalStore(subscribe, () => JSON.stringify(refreshState(client)));
  return JSON.parse(text) as RefreshState;
}

function refreshState(client: QueryClient): RefreshState {
  const active = client.getQueryCache().findAll({ queryKey: ['widget'], type: 'active' });
  const states = active.map((query) => query.state);
  const failing = states.filter((state) => state.fetchFailureReason !== null);
  const stale = failing.map((state) => state.dataUpdatedAt).filter((at) => at > 0);
  const updated = states.map((state) => state.dataUpdatedAt).filter((at) => at > 0);
  return {
    updatedAt: updated.length > 0 ? Math.max(...updated) : null,
    staleSince: stale.length > 0 ? Math.min(...stale) : null,
    failing: failing.length > 0,
    busy: states.some((state) => state.fetchStatus === 'fetching' && state.fetchFailureReason === null),
  };
}
