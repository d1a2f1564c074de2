import type { BundleConnector } from '../../language/bundle/bundle.ts';
import type { ConnectorRow } from '../connectors/connector.ts';

/** Only the names of the secrets: their values are not even decrypted. */
export function toStub(row: ConnectorRow): BundleConnector {
  return {
    name: row.name,
    type: row.type,
    description: row.description,
    config: JSON.parse(row.config_json) as Record<string, unknown>,
    secrets: Object.keys(JSON.parse(row.secrets_json) as object).sort(),
  };
}
