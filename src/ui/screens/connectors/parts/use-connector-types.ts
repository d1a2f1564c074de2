import { useQuery } from '@tanstack/react-query';
import type { components } from '../../../../client/openapi-types.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { connectorTypesQuery } from '../../../frame/state/connector-types-query.ts';

export type ConnectorType = components['schemas']['ConnectorType'];

export function useConnectorTypes() {
  return useQuery({ ...connectorTypesQuery(useApi()), select: ({ result }) => result });
}
