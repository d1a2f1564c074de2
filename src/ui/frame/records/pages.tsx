import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
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

/** What an infinite query of such pages needs besides its key and function. */
export const pages = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_cursor }: Page<unknown>) => next_cursor ?? undefined,
  refetchInterval: ({ state }: { readonly state: { readonly data?: InfiniteData<unknown> | undefined } }) =>
    (state.data?.pages.length ?? 0) <= livePagesMax ? refreshMs : false,
} as const;

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
