import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApi } from '../../../frame/state/api-context.ts';
import { followFeed } from '../../../frame/state/event-feed.ts';
import { isActiveRun } from '../../../kit/run-status.ts';

/** Figures of running tasks are in no event. */
const refreshMs = 3_000;
/** Many tasks that change at once are read once. */
const gatherMs = 250;

/** A job run with its tasks, read again whenever one of them changes. */
export function useJobRun(id: number) {
  const api = useApi();
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ['job-run', id],
    queryFn: ({ signal }) => api.GET('/api/job-runs/{id}', { params: { path: { id } }, signal }),
    refetchInterval: ({ state }) => (isActiveRun(state.data) ? refreshMs : false),
  });
  const active = isActiveRun(query.data);
  useEffect(() => {
    if (!active) return;
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const read = () => {
      timer = null;
      void client.invalidateQueries({ queryKey: ['job-run', id] });
    };
    const onEvents = () => {
      timer ??= setTimeout(read, gatherMs);
    };
    void followFeed(`/api/job-runs/${id}/events`, { onEvents, onState: () => undefined }, left.signal);
    return () => {
      left.abort();
      if (timer !== null) clearTimeout(timer);
    };
  }, [active, client, id]);
  return query;
}
