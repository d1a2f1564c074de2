import type { BundleConnector } from '../../language/bundle/bundle.ts';
import { type ConnectorRow, secretNamesOf } from '../connectors/connector.ts';
import { openPartOf } from '../definitions/sealed-config.ts';

/**
 * Only the names of the secrets: their values are not even decrypted. Those that are still to be set count, so that what was
 * imported is exported as it came.
 */
export function toStub(row: ConnectorRow): BundleConnector {
  const { set, open } = secretNamesOf(row);
  return {
    name: row.name,
    type: row.type,
    description: row.description,
    config: openPartOf(row),
    secrets: [...set, ...open].sort(),
  };
}
