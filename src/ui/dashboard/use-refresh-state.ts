import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';

/** How fresh the widgets in view are. Times in milliseconds since 1970, null where there is none. */
export interface RefreshState {
  readonly updatedAt: number | null;
  /** When the oldest data was good that can now not be renewed. */
  readonly staleSince: number | null;
  /** Whether some widget cannot be renewed now, with old data or with none. */
  readonly failing: boolean;
  readonly busy: boolean;
}

/** Watches the widgets that are in view; the answer changes only when one of its parts does. */
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
