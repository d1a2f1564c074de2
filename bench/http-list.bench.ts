/** 1,000 pages of 100 records from an API on loopback; limit: a bare undici loop over the same pages, with JSON.parse. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { measure } from './support/figure.ts';

const pages = 1_000;
const pageRows = 100;
const rows = pages * pageRows;
const rounds = 15;
const programOf = (name: string) => join(import.meta.dirname, 'support', name);
// In a process of its own, as an API is.
const server = fork(programOf('page-server.ts'), [String(pages), String(pageRows)]);
const [port] = (await once(server, 'message')) as [number];

interface Said {
  readonly seconds: number;
  readonly rssMb: number;
}

// One process each: in one, each would pay for the garbage of the other.
function readerOf(way: 'product' | 'limit'): ChildProcess {
  const reader = fork(programOf('list-reader.ts'), [way, `http://127.0.0.1:${port}`, String(rows)]);
  return reader.once('exit', (code) => {
    if (code !== null) throw new Error(`The reader ended with ${code}`);
  });
}

async function read(reader: ChildProcess): Promise<Said> {
  const said = once(reader, 'message');
  reader.send('read');
  const [found] = (await said) as [Said];
  return found;
}

const [product, limit] = [readerOf('product'), readerOf('limit')];
let rssMb = 0;
await measure({
  name: 'http-list',
  unit: 'records/s',
  rounds,
  async product() {
    const said = await read(product);
    rssMb ||= said.rssMb;
    return rows / said.seconds;
  },
  limit: async () => rows / (await read(limit)).seconds,
  rssMb: () => rssMb,
});
for (const child of [product, limit, server]) child.kill();
