import { realpathSync } from 'node:fs';
import type { Test } from 'tap';
import type { Column, Connection, ReadRequest, Row } from '../../../src/drivers/driver.ts';
import { excelDriver } from '../../../src/drivers/excel/driver.ts';

export const signal = new AbortController().signal;

export async function connect(root: string, config: Record<string, unknown>): Promise<Connection> {
  return excelDriver.connect(config, { fileRoots: [root], forbiddenFiles: [], connectTimeoutMs: 1_000 });
}

export async function rowsOf(connection: Connection, args: unknown = {}, request: Partial<ReadRequest> = {}) {
  const rows: Row[] = [];
  let columns: readonly Column[] = [];
  for await (const batch of connection.read({ method: 'read', args, signal, ...request })) {
    rows.push(...batch.rows);
    columns = batch.columns;
  }
  return { rows, columns: columns.map(({ name, type }) => `${name}:${type}`) };
}

/** A workbook of these parts, read as a connector's only file. */
export async function readBytes(t: Test, bytes: Buffer, args: unknown = {}) {
  const root = realpathSync(t.testdir({ 'a.xlsx': bytes }));
  return rowsOf(await connect(root, { path: 'a.xlsx' }), args);
}
