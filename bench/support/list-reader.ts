/**
 * `list-reader.ts product|limit BASE ROWS`: reads the list of `page-server.ts` at each message of its parent, and tells it the seconds
 * and its highest resident memory in MB.
 */
import { request } from 'undici';
import { httpDriver } from '../../src/drivers/http/driver.ts';
import { secondsOf } from './figure.ts';

const [way, base = '', rows = ''] = process.argv.slice(2);

async function product(): Promise<number> {
  const outbound = { policy: 'allowlist' as const, allow: ['127.0.0.1'], ownPorts: [] };
  const context = { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 1_000, outbound };
  const connection = await httpDriver.connect({ base_url: base }, context);
  const args = { path: '/list', records: 'data', paginate: { type: 'cursor', cursor_path: 'next' } };
  const { signal } = new AbortController();
  let read = 0;
  for await (const batch of connection.read({ method: 'list', args, signal, readOnly: false }))
    read += batch.rows.length;
  await connection.close();
  return read;
}

interface Page {
  readonly data: readonly Record<string, unknown>[];
  readonly next: string | null;
}

async function limit(): Promise<number> {
  let read = 0;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await request(`${base}/list${cursor === '' ? '' : `?cursor=${cursor}`}`);
    const page = (await body.json()) as Page;
    read += page.data.length;
    cursor = page.next;
  }
  return read;
}

process.on('message', async () => {
  let read = 0;
  const seconds = await secondsOf(async () => {
    read = await (way === 'product' ? product() : limit());
  });
  if (read !== Number(rows)) throw new Error(`${read} of ${rows} records were read`);
  process.send?.({ seconds, rssMb: process.resourceUsage().maxRSS / 1_024 });
});
