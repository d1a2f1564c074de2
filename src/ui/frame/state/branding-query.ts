import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import { defaultProductName } from '../../kit/brand.tsx';
import { useApi } from './api-context.ts';

/** How the operator of this server calls and colours it. */
export function brandingQuery(api: Client) {
  return queryOptions({
    queryKey: ['branding'],
    queryFn: ({ signal }) => api.GET('/api/branding', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useProductName(): string {
  const { data } = useQuery(brandingQuery(useApi()));
  return data?.product_name || defaultProductName;
}
