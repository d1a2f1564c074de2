/** 1,000 pages of 100 records from an API on loopback; limit: a bare undici loop over the same pages, with JSON.parse. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { request } from 'undici';
import { httpDriver } from '../src/drivers/http/driver.ts';
import { measure, secondsOf } from './support/figure.ts';

const pages = 1_000;
const pageRows = 100;
const rows = pages * pageRows;
// In a process of its own, as an API is.
const server = fork(join(import.meta.dirname, 'support/page-server.ts'), [String(pages), String(pageRows)]);
const [port] = (await once(server, 'message')) as [number];
const base = `http://127.0.0.1:${port}`;

async function product(): Promise<number> {
  const outbound = { policy: 'allowlist' as const, allow: ['127.0.0.1'], ownPorts: [] };
  const context = { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 1_000, outbound };
  const connection = await httpDriver.connect({ base_url: base }, context);
  const args = { path: '/list', records: 'data', paginate: { type: 'cursor', cursor_path: 'next' } };
  const { signal } = new AbortController();
  let read = 0;
  const seconds = await secondsOf(async () => {
    for await (const batch of connection.read({ method: 'list', args, signal, readOnly: false }))
      read += batch.rows.length;
  });
  await connection.close();
  if (read !== rows) throw new Error(`${read} of ${rows} records were read`);
  return rows / seconds;
}

interface Page {
  readonly data: readonly Record<string, unknown>[];
  readonly next: string | null;
}

async function limit(): Promise<number> {
  let read = 0;
  const seconds = await secondsOf(async () => {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await request(`${base}/list${cursor === '' ? '' : `?cursor=${cursor}`}`);
      const page = (await body.json()) as Page;
      read += page.data.length;
      cursor = page.next;
    }
  });
  if (read !== rows) throw new Error(`${read} of ${rows} records were read`);
  return rows / seconds;
}

await measure({ name: 'http-list', unit: 'records/s', product, limit });
server.kill();
