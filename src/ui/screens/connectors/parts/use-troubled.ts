import { useQuery } from '@tanstack/react-query';
import { troubledConnectors } from '../../../../client/troubled-connectors.ts';
import { useApi } from '../../../frame/state/api-context.ts';

const refreshMs = 15_000;
const none: ReadonlyMap<number, 'failing' | 'degraded'> = new Map();

/** The connectors that fail or are degraded, by id. */
export function useTroubled(): ReadonlyMap<number, 'failing' | 'degraded'> {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['connectors', 'troubled'],
    queryFn: ({ signal }) => troubledConnectors(api, signal),
    refetchInterval: refreshMs,
  });
  return data ?? none;
}
