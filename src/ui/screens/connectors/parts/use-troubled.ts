import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../frame/state/api-context.ts';

const refreshMs = 15_000;
const shownMax = 200;

/** The connectors that fail or are degraded, by id. */
export function useTroubled(): ReadonlyMap<number, 'failing' | 'degraded'> {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['connectors', 'troubled'],
    queryFn: async ({ signal }) => {
      const [failing, degraded] = await Promise.all(
        (['failing', 'degraded'] as const).map((status) =>
          api.GET('/api/connectors/health', { params: { query: { status, limit: shownMax } }, signal }),
        ),
      );
      return [...(failing?.result ?? []), ...(degraded?.result ?? [])];
    },
    refetchInterval: refreshMs,
  });
  return new Map(
    (data ?? []).flatMap(({ connector_id, status }) =>
      status === 'failing' || status === 'degraded' ? [[connector_id, status] as const] : [],
    ),
  );
}
