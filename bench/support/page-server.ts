import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [pages = 0, pageRows = 0] = process.argv.slice(2).map(Number);

/** Pages that are made ahead: the server should cost as little as it can. Those behind them have the same records. */
const MADE_MAX = 1_000;

const recordsOf = (page: number) =>
  JSON.stringify(
    Array.from({ length: pageRows }, (_, row) => {
      const id = page * pageRows + row;
      return {
        id,
        name: `Contact ${id}`,
        email: `contact-${id}@example.com`,
        score: id / 7,
        active: id % 3 > 0,
        updated_at: new Date(Date.UTC(2026, 0, 1) + id * 1_000).toISOString(),
      };
    }),
  );
const records = Array.from({ length: Math.min(pages, MADE_MAX) }, (_, page) => recordsOf(page));
const bodyOf = (page: number) =>
  Buffer.from(
    `{"data":${records[page % MADE_MAX]},"next":${page + 1 < pages ? JSON.stringify(String(page + 1)) : null}}`,
  );
const bodies = records.map((_, page) => bodyOf(page));

/** Answers `?cursor=<page>`. Tells its parent the port. */
const server = createServer((request, response) => {
  const page = Number(new URL(request.url ?? '/', 'http://page').searchParams.get('cursor') ?? 0);
  response.setHeader('content-type', 'application/json').end(bodies[page] ?? bodyOf(page));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
