import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { Loaded } from '../layout/loaded.tsx';

/** Pages of a list are read again this often while they are few. */
export const refreshMs = 4_000;
const livePagesMax = 4;

interface Page<T> {
  readonly result: readonly T[];
  readonly next_cursor: string | null;
}

/** The query of one page besides its filters; nothing for the first. */
export interface PageQuery {
  readonly cursor?: string;
}

interface PagesOptions {
  /** They are read again every few seconds while they are few. Default: true. */
  readonly isLive?: boolean;
  /** The pages of the filters before stay until those of the new ones are there. Default: false. */
  readonly keepsBefore?: boolean;
  /** They are good for so long. Default: they are stale at once. */
  readonly staleMs?: number;
}

/** The pages of a list, one after the other. */
export function usePages<P extends Page<unknown>>(
  queryKey: readonly unknown[],
  read: (page: PageQuery, signal: AbortSignal) => Promise<P>,
  { isLive = true, keepsBefore = false, staleMs = 0 }: PagesOptions = {},
): UseInfiniteQueryResult<InfiniteData<P>> {
  return useInfiniteQuery<P, Error, InfiniteData<P>, readonly unknown[], PageQuery>({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    staleTime: staleMs,
    initialPageParam: {},
    getNextPageParam: ({ next_cursor }) => (next_cursor === null ? undefined : { cursor: next_cursor }),
    refetchInterval: ({ state }) =>
      isLive && (state.data?.pages.length ?? 0) <= livePagesMax ? refreshMs : false,
    ...(keepsBefore && { placeholderData: (before) => before }),
  });
}

interface PagesProps<T> {
  readonly query: UseInfiniteQueryResult<InfiniteData<Page<T>>>;
  readonly empty: string;
  children(records: readonly T[]): ReactNode;
}

/** The records of all pages that are loaded, and a button for more. */
export function Pages<T>({ query, empty, children }: PagesProps<T>): ReactNode {
  const { frame } = useTexts();
  return (
    <Loaded query={query}>
      {({ pages: loaded }) => {
        const records = loaded.flatMap(({ result }) => result);
        if (records.length === 0) return <EmptyState>{empty}</EmptyState>;
        return (
          <>
            {children(records)}
            {query.hasNextPage && (
              <button
                type="button"
                className="button"
                data-style="secondary"
                disabled={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                {query.isFetchingNextPage ? frame.loading : frame.more}
              </button>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
