import { randomToken } from '../../base/ids.ts';
import type { Connection, Row, WriteMode } from '../driver.ts';
import { toBatch } from './row-batch.ts';

/** The rows of one call as a load of their own: all of them, or none. `openWriter` is the connection's. */
export async function loadRows(
  openWriter: Connection['openWriter'],
  mode: WriteMode,
  { table, key, rows }: { table: string; key: readonly string[]; rows: readonly Row[] },
  signal: AbortSignal,
): Promise<{ readonly rows: number }> {
  const request = { object: table, mode, key, loadId: randomToken(), allowEmpty: false, signal };
  const writer = await openWriter(request);
  try {
    await writer.write(toBatch(rows));
    return await writer.commit();
  } finally {
    await writer.abort();
  }
}
