import type { Test } from 'tap';
import { businessAppDriver } from '../../../src/drivers/business-app/driver.ts';
import type { Connection, Row } from '../../../src/drivers/driver.ts';
import { ODATA_TOKEN } from './odata-peer.ts';

export const { signal } = new AbortController();

/** A connector of a service on loopback. Each has a model of its own, as its headers differ. */
export async function connectOdata(
  t: Test,
  base_url: string,
  config: object = {},
): Promise<Connection & Required<Pick<Connection, 'catalogue'>>> {
  const outbound = { policy: 'allowlist' as const, allow: ['127.0.0.1'], ownPorts: [] };
  const context = { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 1_000, outbound };
  const connection = await businessAppDriver.connect({ ...odataConfig(base_url), ...config }, context);
  t.teardown(() => connection.close());
  return connection as Connection & Required<Pick<Connection, 'catalogue'>>;
}

export function odataConfig(base_url: string): object {
  return { base_url, auth: { type: 'bearer' }, token: ODATA_TOKEN, retry: { base_ms: 1, max_attempts: 3 } };
}

export async function rowsOf(connection: Connection, args: object): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of connection.read({ method: 'list', args, signal })) rows.push(...batch.rows);
  return rows;
}
