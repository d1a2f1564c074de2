import { queryOptions } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';

/** The connector types that this server knows; they change with its version alone. */
export function connectorTypesQuery(api: Client) {
  return queryOptions({
    queryKey: ['connector-types'],
    queryFn: ({ signal }) => api.GET('/api/connectors/types', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
