import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Client } from '../../../../client/create-client.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { type FeedEvent, type FeedState, followFeed } from '../../../frame/state/event-feed.ts';
import { FoundLines } from './found-lines.ts';
import { type LogLine, type LogRows, placeText } from './log-line.ts';
import { PagedLog } from './paged-log.ts';

export interface LogFilters {
  readonly level?: 'debug' | 'info' | 'warn' | 'error' | undefined;
  readonly step?: string | undefined;
  readonly q?: string | undefined;
}

/** How a log ended, as its last event says; null before. */
export type LogEnd = 'complete' | 'missing' | 'quota' | 'retention';

export interface Log {
  readonly rows: LogRows;
  /** The whole log, where nothing is filtered. */
  readonly whole: PagedLog | null;
  readonly found: FoundLines | null;
  readonly state: FeedState;
  readonly end: LogEnd | null;
}

export function isFilteredLog({ level, step, q }: LogFilters): boolean {
  return (level ?? 'debug') !== 'debug' || (step ?? '') !== '' || (q ?? '') !== '';
}

/** The query of a log's addresses: only what is asked for. */
export function logQuery({ level, step, q }: LogFilters) {
  return { ...(level && level !== 'debug' && { level }), ...(step && { step }), ...(q && { q }) };
}

/** A run's log as it is written. What changes its filters begins anew; a lost connection does not. */
export function useLog(runId: number, filters: LogFilters): Log {
  const api = useApi();
  const client = useQueryClient();
  const [, setVersion] = useState(0);
  const [state, setState] = useState<FeedState>('connecting');
  const [end, setEnd] = useState<LogEnd | null>(null);
  const asked = JSON.stringify(logQuery(filters));
  const isFiltered = isFilteredLog(filters);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter finds other lines
  const log = useMemo(() => {
    const changed = () => setVersion((version) => version + 1);
    const read = (after_seq: string, limit: number) => readLines(api, runId, after_seq, limit);
    return isFiltered ? new FoundLines(changed) : new PagedLog(read, changed);
  }, [api, runId, isFiltered, asked]);
  useEffect(() => {
    const left = new AbortController();
    setEnd(null);
    setState('connecting');
    const onEvents = (events: readonly FeedEvent[]) => {
      take(log, events);
      for (const { event, data } of events) {
        if (event === 'status') void client.invalidateQueries({ queryKey: ['run', runId] });
        if (event === 'end') setEnd(endOf(data));
      }
      if (log instanceof FoundLines && log.isFull) left.abort();
    };
    const query = new URLSearchParams(JSON.parse(asked) as Record<string, string>);
    void begin(api, runId, log, query, left.signal)
      .then(() => {
        const url = `/api/runs/${runId}/logs/stream?${query}`;
        return followFeed(url, { onEvents, onState: setState }, left.signal);
      })
      .catch(() => {
        if (!left.signal.aborted) setState('refused');
      });
    return () => left.abort();
  }, [api, client, runId, log, asked]);
  return log instanceof FoundLines
    ? { rows: log, whole: null, found: log, state, end }
    : { rows: log, whole: log, found: null, state, end };
}

/** Learns how long the log is, so that only what comes after it is streamed. */
async function begin(
  api: Client,
  id: number,
  log: PagedLog | FoundLines,
  query: URLSearchParams,
  signal: AbortSignal,
): Promise<void> {
  if (log instanceof FoundLines) return;
  const { attempts } = await api.GET('/api/runs/{id}/logs', {
    params: { path: { id }, query: { limit: 1 } },
    signal,
  });
  log.extend(attempts);
  if (log.end !== null) query.set('after_seq', placeText(log.end));
}

function take(log: PagedLog | FoundLines, events: readonly FeedEvent[]): void {
  const dataOf = (name: string) => events.filter(({ event }) => event === name).map(({ data }) => data);
  const lines = dataOf('log') as LogLine[];
  if (log instanceof FoundLines) log.append(lines);
  else log.append(lines, dataOf('gap') as { attempt: number; to: number }[]);
}

function endOf(data: unknown): LogEnd {
  const { complete, reason } = data as { readonly complete: boolean; readonly reason: string | null };
  if (complete) return 'complete';
  return reason === 'quota' || reason === 'retention' ? reason : 'missing';
}

async function readLines(
  api: Client,
  id: number,
  after_seq: string,
  limit: number,
): Promise<readonly LogLine[]> {
  const query = { after_seq, limit };
  return (await api.GET('/api/runs/{id}/logs', { params: { path: { id }, query } })).result;
}
