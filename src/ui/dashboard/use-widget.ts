import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError, retryDelayMs } from '../api/api-error.ts';
import type { WidgetPayload, WidgetResult } from '../api/dashboard-payload.ts';
import type { TimedResult } from '../api/widget-batcher.ts';
import { isActiveRun, type RunPayload } from '../kit/run-status.ts';
import { useWidgetHost, widgetKey } from '../kit/widget/widget-host.ts';
import { msToNextTurn } from './next-turn.ts';

const intervalMinMs = 2000;
const activeRunIntervalMs = 2000;

/**
 * A widget's data, refreshed at the interval of the widget or else of the dashboard, at most every 2 s, and not while the page is
 * hidden. Temporary failures are retried when the server says so; until then the old data stays.
 */
export function useWidget(widget: WidgetPayload): UseQueryResult<TimedResult> {
  const host = useWidgetHost();
  const everyMs = intervalMs(widget.refresh_interval_seconds ?? host.refreshIntervalSeconds);
  const intervalOf = (result: WidgetResult | undefined): number | false =>
    hasActiveRun(widget.type, result)
      ? Math.min(activeRunIntervalMs, everyMs || activeRunIntervalMs)
      : everyMs;
  const query = useQuery({
    queryKey: widgetKey(host, widget.id),
    queryFn: () => host.loadWidget(widget.id),
    networkMode: 'always',
    // Another choice of filters is another query: until it is answered, what was shown stays.
    placeholderData: keepPreviousData,
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnMount: ({ state }) => isOverdue(state.dataUpdatedAt, intervalOf(state.data)),
    refetchOnWindowFocus: ({ state }) => isOverdue(state.dataUpdatedAt, intervalOf(state.data)),
    refetchOnReconnect: false,
    retry: (_count, error) => error instanceof ApiError && error.isTemporary,
    retryDelay: retryDelayMs,
  });
  const { data, errorUpdatedAt, isFetching, refetch } = query;
  const answeredAt = Math.max(data?.answeredAt ?? 0, errorUpdatedAt);
  const dueAt = isFetching || answeredAt === 0 ? null : nextTurn(intervalOf(data), answeredAt);
  useEffect(() => {
    if (dueAt === null) return undefined;
    return host.clock.set(widget.id, dueAt, () => void refetch({ cancelRefetch: false }));
  }, [host.clock, widget.id, dueAt, refetch]);
  return query;
}

/** When a widget that was answered at this time is due again, both in milliseconds since the epoch; null for never. */
function nextTurn(everyMs: number | false, answeredAt: number): number | null {
  if (everyMs === false) return null;
  return answeredAt + msToNextTurn(everyMs, Math.max(answeredAt - performance.timeOrigin, 0));
}

function intervalMs(seconds: number | null): number | false {
  return seconds !== null && seconds > 0 ? Math.max(seconds * 1000, intervalMinMs) : false;
}

function isOverdue(updatedAt: number, everyMs: number | false): boolean {
  return updatedAt === 0 || (everyMs !== false && Date.now() - updatedAt > everyMs);
}

/** Whether the run that a widget shows can still change: a task's latest run, or the one that an action started. */
function hasActiveRun(type: string, result: WidgetResult | undefined): boolean {
  const data = result?.data as { run?: RunPayload | null; last_run?: RunPayload | null } | undefined;
  if (type === 'action') return !!data?.last_run?.status && isActiveRun(data.last_run);
  return type === 'task_progress' && isActiveRun(data?.run);
}
