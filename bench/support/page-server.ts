import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [pages = 0, pageRows = 0] = process.argv.slice(2).map(Number);

/** Made once: the server should cost as little as it can. */
const bodies = Array.from({ length: pages }, (_, page) => {
  const data = Array.from({ length: pageRows }, (_, row) => {
    const id = page * pageRows + row;
    return {
      id,
      name: `Contact ${id}`,
      email: `contact-${id}@example.com`,
      score: id / 7,
      active: id % 3 > 0,
      updated_at: new Date(Date.UTC(2026, 0, 1) + id * 1_000).toISOString(),
    };
  });
  return Buffer.from(JSON.stringify({ data, next: page + 1 < pages ? String(page + 1) : null }));
});

/** Answers `?cursor=<page>`. Tells its parent the port. */
const server = createServer((request, response) => {
  const page = Number(new URL(request.url ?? '/', 'http://page').searchParams.get('cursor') ?? 0);
  response.setHeader('content-type', 'application/json').end(bodies[page]);
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
