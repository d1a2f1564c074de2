import type { Test } from 'tap';
import type { Connection, Row } from '../../../src/drivers/driver.ts';
import { unifiedApiDriver } from '../../../src/drivers/unified-api/driver.ts';

export const { signal } = new AbortController();

type Platform = Connection & Required<Pick<Connection, 'accounts' | 'catalogue' | 'oauthApp'>>;

/** A connector of a platform on loopback. */
export async function connectPlatform(t: Test, config: object): Promise<Platform> {
  const outbound = { policy: 'allowlist' as const, allow: ['127.0.0.1'], ownPorts: [] };
  const context = { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 1_000, outbound };
  const retry = { base_ms: 1, max_attempts: 2 };
  const connection = await unifiedApiDriver.connect({ retry, ...config }, context);
  t.teardown(() => connection.close());
  return connection as Platform;
}

export async function rowsOf(connection: Connection, args: object, method = 'list'): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of connection.read({ method, args, signal })) rows.push(...batch.rows);
  return rows;
}
