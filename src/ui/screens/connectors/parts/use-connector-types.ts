import { useQuery } from '@tanstack/react-query';
import type { components } from '../../../../client/openapi-types.ts';
import { useApi } from '../../../frame/state/api-context.ts';

export type ConnectorType = components['schemas']['ConnectorType'];

/** The types that this server knows; they change with its version alone. */
export function useConnectorTypes() {
  const api = useApi();
  return useQuery({
    queryKey: ['connector-types'],
    queryFn: ({ signal }) => api.GET('/api/connectors/types', { signal }),
    select: ({ result }) => result,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
