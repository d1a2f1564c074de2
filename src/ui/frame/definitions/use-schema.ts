import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../state/api-context.ts';
import type { Schema } from './completion/schema-walk.ts';
import type { Definition, DefinitionKind } from './definition-kind.ts';

/** The JSON Schema of a kind of text, fetched once; null where it cannot be had: then nothing is completed. */
export function useSchema(document: DefinitionKind<Definition>['schema']): Promise<Schema | null> {
  const api = useApi();
  const client = useQueryClient();
  return useMemo(
    () =>
      client
        .ensureQueryData({
          queryKey: ['schema', document],
          queryFn: ({ signal }) =>
            api.GET('/api/schemas/{document}', { params: { path: { document } }, signal }),
          staleTime: Number.POSITIVE_INFINITY,
        })
        .catch(() => null),
    [api, client, document],
  );
}
