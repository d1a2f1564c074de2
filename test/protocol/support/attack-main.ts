import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import {
  callHeaders,
  END_HEADERS,
  END_STREAM,
  FRAME,
  frame,
  headerBlock,
  PREFACE,
  type RawPeer,
  rawPeer,
  resetFrame,
} from './raw-http2.ts';

/**
 * Attacks a server for a while from a process of its own, so that the test's event loop is the server's alone, and prints how the
 * connections ended: `attack-main.ts KIND PORT MS HEADERS`.
 */
const [kind = '', port = '', ms = '', fields = '{}'] = process.argv.slice(2);
const own = JSON.parse(fields) as Record<string, string>;
/** The server keeps the connection of a bomb; of all others it is awaited that they are closed. */
const BOMB_MS = 300;
const CLOSE_MS_MAX = 4_000;
const APPEND = '/headgate.executor.v1.ExecutorService/AppendLogs';

function repeat(count: number, make: (n: number) => Buffer): Buffer {
  return Buffer.concat(Array.from({ length: count }, (_, n) => make(n)));
}

const open = (n: number, path = APPEND) =>
  frame(FRAME.headers, END_HEADERS, 2 * n + 1, callHeaders(path, { 'grpc-encoding': 'gzip', ...own }));

function message(bytes: Buffer, flag: 0 | 1): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(flag, 0);
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
}

/** One DATA frame holds at most 16 KB. */
function data(stream: number, bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 16_000) {
    parts.push(frame(FRAME.data, 0, stream, bytes.subarray(at, at + 16_000)));
  }
  return Buffer.concat(parts);
}

const PING = frame(FRAME.ping, 0, 0, Buffer.alloc(8));

/** Few at a time, and fewer than what the transport itself ends a connection for. */
async function patiently({ socket }: RawPeer, count: number, make: (n: number) => Buffer): Promise<void> {
  for (let n = 0; n < count && !socket.closed; n += 20) {
    socket.write(repeat(20, (i) => make(n + i)));
    await delay(3);
  }
}

const bomb = message(gzipSync(Buffer.alloc(12_000_000)), 1);

const ATTACKS: Readonly<Record<string, (peer: RawPeer) => void | Promise<void>>> = {
  'rapid-reset': ({ socket }) =>
    void socket.write(repeat(3_000, (n) => Buffer.concat([open(n, APPEND), resetFrame(2 * n + 1)]))),
  'patient-reset': (peer) =>
    patiently(peer, 600, (n) => Buffer.concat([open(n, APPEND), resetFrame(2 * n + 1)])),
  ping: ({ socket }) => void socket.write(repeat(5_000, () => PING)),
  'patient-ping': (peer) => patiently(peer, 400, () => PING),
  settings: ({ socket }) => void socket.write(repeat(2_000, () => frame(FRAME.settings, 0, 0))),
  'patient-settings': (peer) => patiently(peer, 200, () => frame(FRAME.settings, 0, 0)),
  calls: (peer) =>
    patiently(peer, 400, (n) =>
      frame(FRAME.headers, END_HEADERS | END_STREAM, 2 * n + 1, callHeaders(APPEND, own)),
    ),
  continuation: ({ socket }) => {
    socket.write(frame(FRAME.headers, 0, 1, callHeaders(APPEND)));
    socket.write(
      repeat(2_000, () => frame(FRAME.continuation, 0, 1, headerBlock({ 'x-more': 'y'.repeat(100) }))),
    );
  },
  bomb: ({ socket }) =>
    void socket.write(repeat(10, (n) => Buffer.concat([open(n, APPEND), data(2 * n + 1, bomb)]))),
  garbage: ({ socket }) => void socket.write(Buffer.alloc(1_000, 0xff)),
};

const attack = ATTACKS[kind];
if (attack === undefined) throw new Error(`no attack "${kind}"`);
const ends: Record<string, number> = { connections: 0, closed: 0 };
const until = performance.now() + Number(ms);
while (performance.now() < until) {
  const peer = await rawPeer(Number(port)).catch(() => null);
  if (peer === null) continue;
  ends['connections'] = (ends['connections'] ?? 0) + 1;
  peer.socket.write(PREFACE);
  await attack(peer);
  await Promise.race([
    peer.closed,
    delay(kind === 'bomb' ? BOMB_MS : CLOSE_MS_MAX, undefined, { ref: false }),
  ]);
  const code = peer.goaway();
  if (peer.socket.closed) ends['closed'] = (ends['closed'] ?? 0) + 1;
  if (code !== null) ends[`goaway ${code}`] = (ends[`goaway ${code}`] ?? 0) + 1;
  peer.socket.destroy();
}
process.stdout.write(JSON.stringify(ends));
