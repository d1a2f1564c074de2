import type { Test } from 'tap';
import { csvDriver } from '../../../../src/drivers/csv/driver.ts';
import type {
  ConnectContext,
  Connection,
  Driver,
  ReadRequest,
  Row,
  WriteRequest,
} from '../../../../src/drivers/driver.ts';

export const { signal } = new AbortController();
/** This machine may be reached. */
export const context: ConnectContext = {
  fileRoots: [],
  forbiddenFiles: [],
  connectTimeoutMs: 5_000,
  outbound: { policy: 'block-metadata', allow: ['127.0.0.0/8'], ownPorts: [] },
};

export async function connectS3(
  t: Test,
  config: object,
  driver: Driver = csvDriver,
  given: ConnectContext = context,
): Promise<Connection> {
  const connection = await driver.connect(config, given);
  t.teardown(() => connection.close());
  return connection;
}

export async function rowsOf(
  connection: Connection,
  args: object = {},
  options: Partial<ReadRequest> = {},
): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of connection.read({ method: 'read', args, signal, ...options }))
    rows.push(...batch.rows);
  return rows;
}

export function loadOf(object: string, more: Partial<WriteRequest> = {}): WriteRequest {
  return { object, mode: 'replace', key: [], loadId: 'load 1', allowEmpty: false, signal, ...more };
}

export const COLUMNS = [
  { name: 'id', type: 'integer', nullable: false },
  { name: 'text', type: 'string', nullable: false },
] as const;

/** Rows of about `bytes` each. */
export function manyRows(count: number, from = 0, bytes = 1_000): Row[] {
  return Array.from({ length: count }, (_, index) => ({ id: from + index, text: 'x'.repeat(bytes) }));
}
