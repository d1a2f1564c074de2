import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../state/api-context.ts';
import { connectorTypesQuery } from '../state/connector-types-query.ts';
import type { NameSource } from './completion/name-source.ts';
import { connectorsIn, type Vocabulary } from './completion/vocabulary.ts';
import type { Definition, DefinitionKind } from './definition-kind.ts';

/** What completes the texts of a kind, each part fetched once: what cannot be had completes nothing. */
export function useVocabulary(
  { schema: document, jobTemplateId }: Pick<DefinitionKind<Definition>, 'schema' | 'jobTemplateId'>,
  names: NameSource,
): Vocabulary {
  const api = useApi();
  const schema = useQuery({
    queryKey: ['schema', document],
    queryFn: ({ signal }) => api.GET('/api/schemas/{document}', { params: { path: { document } }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  const types = useQuery(connectorTypesQuery(api)).data;
  const template = useQuery({
    queryKey: ['job-template', jobTemplateId],
    queryFn: ({ signal }) =>
      api.GET('/api/job-templates/{id}', { params: { path: { id: jobTemplateId ?? 0 } }, signal }),
    enabled: jobTemplateId !== undefined,
  }).data?.yaml_content;
  return useMemo(
    () => ({
      document,
      schema: schema ?? null,
      connectorTypes: types?.result ?? [],
      connectors: connectorsIn(template ?? ''),
      names,
    }),
    [document, schema, types, template, names],
  );
}
