import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../../client/api-error.ts';
import type { PagePayload } from '../../../api/dashboard-payload.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { payloadOf } from '../dashboard/member-host.ts';
import type { Dashboard } from '../dashboard-kind.ts';

/** A definition is read again at its next turn after this time. */
const definitionStaleMs = 60_000;
/** Where nothing can be shown, this is how soon it is tried again. */
const againMs = 5_000;

export interface Turn {
  readonly dashboard: Dashboard;
  readonly page: PagePayload;
}

interface Place {
  /** Of the listed dashboards. */
  readonly at: number;
  readonly page: number;
}

export interface Turns {
  /** Null until the first can be shown. */
  readonly turn: Turn | null;
  /** Why nothing can be shown. */
  readonly problem: Error | null;
  next(): void;
}

/**
 * The pages of these dashboards, one after the other, each for so long, for ever. What cannot be read is passed over: a server that is
 * lost leaves what is known on the screen, and a dashboard that is gone leaves the others.
 */
export function useTurns(ids: readonly number[], everyMs: number): Turns {
  const read = useRead();
  const [turn, setTurn] = useState<Turn | null>(null);
  const [problem, setProblem] = useState<Error | null>(null);
  const [ticks, setTicks] = useState(0);
  const place = useRef<Place>({ at: -1, page: 0 });
  const list = ids.join(',');
  const advance = useCallback(async () => {
    const listed = list.split(',').map(Number);
    const found = await nextTurn(listed, place.current, async (id) => {
      const answer = await read(id);
      if (answer instanceof Error) setProblem(answer);
      return answer instanceof Error ? null : answer;
    });
    if (found !== null) {
      place.current = found.place;
      setTurn(found.turn);
      setProblem(null);
    }
    return found !== null;
  }, [list, read]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each tick begins another turn
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const go = async () => {
      const isShown = await advance();
      if (!isOver) timer = setTimeout(() => void go(), isShown ? everyMs : Math.min(againMs, everyMs));
    };
    void go();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [advance, everyMs, ticks]);
  return { turn, problem, next: () => setTicks((count) => count + 1) };
}

/** The next page that can be shown; null if there is none. */
async function nextTurn(
  ids: readonly number[],
  { at, page }: Place,
  read: (id: number) => Promise<Dashboard | null>,
): Promise<{ readonly place: Place; readonly turn: Turn } | null> {
  const places = [
    { at, page: page + 1 },
    ...ids.map((_, step) => ({ at: (at + step + 1) % ids.length, page: 0 })),
  ];
  for (const place of places) {
    const id = ids[place.at];
    const dashboard = id === undefined ? null : await read(id);
    const shown = dashboard === null ? undefined : payloadOf(dashboard).pages[place.page];
    if (dashboard !== null && shown !== undefined) return { place, turn: { dashboard, page: shown } };
  }
  return null;
}

/** A dashboard as it is now, or as it was last known; the reason where it is unknown, gone or no longer to be seen. */
function useRead(): (id: number) => Promise<Dashboard | Error> {
  const api = useApi();
  const client = useQueryClient();
  return useCallback(
    async (id) => {
      const queryKey = ['dashboard', id];
      try {
        return await client.fetchQuery({
          queryKey,
          queryFn: ({ signal }) => api.GET('/api/dashboards/{id}', { params: { path: { id } }, signal }),
          staleTime: definitionStaleMs,
          gcTime: Number.POSITIVE_INFINITY,
          retry: false,
        });
      } catch (error) {
        const isGone = error instanceof ApiError && [403, 404].includes(error.status);
        if (isGone) client.removeQueries({ queryKey });
        return (
          client.getQueryData<Dashboard>(queryKey) ??
          (error instanceof Error ? error : new Error(String(error)))
        );
      }
    },
    [api, client],
  );
}
