import { resolve } from 'node:path';
import type { Batch, ConnectContext, Connection, ReadRequest, Row } from '../../../src/drivers/driver.ts';
import { connectAirbyte } from '../../../src/drivers/plugins/airbyte/connect.ts';
import type { Plugin } from '../../../src/drivers/plugins/plugin.ts';

export const signal = new AbortController().signal;

export const scriptedPlugin: Plugin = {
  name: 'scripted',
  command: [process.execPath, '--no-warnings', resolve('test/peers/airbyte/source-main.ts')],
  folder: null,
  memoryMb: 400,
};

export function contextWith(...plugins: readonly Plugin[]): ConnectContext {
  return { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 5_000, plugins };
}

/** A connection to the scripted source in a mode, with so many people. */
export function connectScripted(mode = 'good', rows = 5, more: Row = {}): Promise<Connection> {
  const config = { plugin: 'scripted', config: { mode, rows }, ...more };
  return connectAirbyte(config, contextWith(scriptedPlugin));
}

/** All batches of a stream. */
export async function batchesOf(
  connection: Connection,
  request: Partial<ReadRequest> = {},
): Promise<readonly Batch[]> {
  const batches: Batch[] = [];
  const read = { method: 'read', args: { stream: 'people' }, signal, ...request };
  for await (const batch of connection.read(read)) batches.push(batch);
  return batches;
}

export async function rowsOf(connection: Connection, request: Partial<ReadRequest> = {}): Promise<Row[]> {
  return (await batchesOf(connection, request)).flatMap(({ rows }) => rows);
}
