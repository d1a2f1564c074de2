// Long list: it waits for services that fail in every way; quick: test/drivers/postgres/faults.test.ts.
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { residentMb } from '../../support/process-memory.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';

const AUTHENTICATED = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const DONE = Buffer.from([0x43, 0, 0, 0, 8, 0x53, 0x45, 0x54, 0]);
const CHUNK = Buffer.alloc(1_048_576, 0x61);

/** The head of a message of one gigabyte. */
function headOf(type: string): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeUInt32BE(1_000_000_000, 1);
  return head;
}

function flood(socket: Socket): void {
  const more = () => {
    while (!socket.destroyed && socket.write(CHUNK));
  };
  socket.on('drain', more);
  more();
}

/** Speaks PostgreSQL until it is asked the `after`th time; then it answers with one message that has no end. */
async function startHostile(t: Test, type: string, after: number): Promise<number> {
  const server = createServer((socket) => {
    let asked = 0;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      asked += 1;
      if (asked > after) {
        socket.write(headOf(type));
        flood(socket);
      } else if (asked === 1) socket.write(Buffer.concat([AUTHENTICATED, READY]));
      else socket.write(Buffer.concat([DONE, READY]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** The most memory that any process which this one has started takes, until `done`. */
async function peakMb(done: Promise<unknown>): Promise<number> {
  let peak = 0;
  const look = setInterval(() => {
    const { pid } = process;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    for (const child of children.filter(Boolean)) peak = Math.max(peak, residentMb(Number(child)));
  }, 20);
  await done;
  clearInterval(look);
  return Math.round(peak);
}

for (const [what, type, after] of [
  ['a row', 'D', 2],
  ['the description of rows', 'T', 2],
  ['an error', 'E', 1],
  ['the greeting', 'R', 0],
] as const) {
  t.test(`a server that sends ${what} without end is left, and costs the worker host little`, async (t) => {
    const pool = await startWorkerPool(t, { fileRoots: [] });
    const port = await startHostile(t, type, after);
    const config = {
      host: '127.0.0.1',
      port,
      database: 'd',
      user: 'u',
      password: 'p',
      ssl: 'disable',
      connect_timeout_ms: 20_000,
    };
    const connector = { id: 1, version: 1, name: 'hostile', type: 'postgres', config };
    const answer = pool.run({ kind: 'test_connector', input: { connector } }, { timeoutMs: 30_000 });
    const peak = await peakMb(answer);
    t.comment(`${what}: ${peak} MB`);
    t.ok(peak < 700, `the largest process took ${peak} MB`);
    t.match(await answer, { ok: false, message: /more than 128 MB in one answer/ });
    t.equal(pool.stats().restarts, 0);
  });
}
