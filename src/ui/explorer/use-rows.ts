import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError, retryDelayMs } from '../api/api-error.ts';
import type { RowsAnswer, RowsQuery } from '../api/widget-calls.ts';
import { useWidgetHost } from '../kit/widget/widget-host.ts';
import type { InputWords } from '../texts/en/widgets/inputs.ts';
import { useInputWords } from '../texts/input-words.ts';

const retriesMax = 3;

interface RowsSettings {
  readonly widgetId: string;
  /** The first page in the author's order, as it came with the widget's payload. */
  readonly first: RowsAnswer;
  readonly firstAt: number;
  readonly query: RowsQuery;
  readonly cursor: string | null;
  readonly limit: number;
  /** See `ExplorerQuery`. */
  readonly restarts: number;
}

export interface Rows {
  /** The requested page, or the previous one while it is loading. */
  readonly page: RowsAnswer;
  readonly busy: boolean;
  readonly problem: string | null;
  retry(): void;
}

/** A page of rows. The first one in the author's order comes with the widget; the others are requested, and refreshed with it. */
export function useRows(settings: RowsSettings): Rows {
  const words = useInputWords();
  const { widgetId, first, firstAt, query, cursor, limit, restarts } = settings;
  const { cacheKey, calls } = useWidgetHost();
  // After starting over, the page that came with the widget is not trusted: its cursor may be the one that failed.
  const plain = cursor === null && isPlain(query) && restarts === 0;
  const asked = useQuery({
    queryKey: ['rows', cacheKey, widgetId, query, cursor, limit, restarts],
    queryFn: ({ signal }) => calls.rows(widgetId, { ...query, cursor, limit }, signal),
    enabled: !plain,
    placeholderData: keepPreviousData,
    networkMode: 'always',
    staleTime: 30_000,
    refetchOnWindowFocus: false,
    retry: (count, error) => error instanceof ApiError && error.isTemporary && count < retriesMax,
    retryDelay: retryDelayMs,
  });
  const { refetch } = asked;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refresh of the widget refreshes the current page
  useEffect(() => {
    if (!plain) void refetch({ cancelRefetch: false });
  }, [firstAt]);
  if (plain) return { page: first, busy: false, problem: null, retry: () => {} };
  return {
    page: asked.data ?? first,
    busy: asked.isPlaceholderData || asked.isPending,
    problem: asked.isError ? problemWords(asked.error, words) : null,
    retry: () => void refetch(),
  };
}

export function isPlain({ sort, search, filters }: RowsQuery): boolean {
  return sort === null && search === '' && Object.keys(filters).length === 0;
}

function problemWords(error: Error, words: InputWords): string {
  if (!(error instanceof ApiError) || error.status === 0) return words.explorer.notLoaded;
  return error.details.length > 0 ? error.details.map((detail) => detail.message).join('. ') : error.message;
}
