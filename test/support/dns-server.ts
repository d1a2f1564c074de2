import { createSocket, type RemoteInfo } from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';

/** Records of a zone by `TYPE name`: of SRV `port host`, of TXT a text, of A an address. */
export type Zone = Readonly<Record<string, readonly string[]>>;

const TYPES: ReadonlyMap<number, string> = new Map([
  [1, 'A'],
  [16, 'TXT'],
  [33, 'SRV'],
]);
const NO_SUCH_NAME = 3;

/**
 * A DNS server on loopback that answers from `zone`, and names of this process are looked up there until the test ends: those of SRV and
 * TXT as any program would, and those of hosts, which the system resolves from its own files, by a resolver of the same server.
 */
export async function answerNames(t: { teardown(fn: () => unknown): void }, zone: Zone): Promise<void> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from: RemoteInfo) =>
    socket.send(answerTo(query, zone), from.port, from.address),
  );
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { lookup } = dns;
  const servers = dns.getServers();
  dns.setServers([`127.0.0.1:${socket.address().port}`]);
  dns.lookup = ((name: string, options: dns.LookupAllOptions, done: (...given: unknown[]) => void) =>
    dns.resolve4(name, (error, found = []) => {
      const all = found.map((address) => ({ address, family: 4 }));
      if (error !== null) done(error);
      else if (options.all) done(null, all);
      else done(null, all[0]?.address, 4);
    })) as typeof dns.lookup;
  syncBuiltinESMExports();
  t.teardown(() => {
    dns.lookup = lookup;
    syncBuiltinESMExports();
    dns.setServers(servers);
    socket.close();
  });
}

/** RFC 1035, 4.1. */
function answerTo(query: Buffer, zone: Zone): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + size));
    at += 1 + size;
  }
  const question = query.subarray(12, at + 5);
  const type = query.readUInt16BE(at + 1);
  const name = labels.join('.').toLowerCase();
  const found = zone[`${TYPES.get(type)} ${name}`] ?? [];
  const isKnown = Object.keys(zone).some((key) => key.endsWith(` ${name}`));
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 | (isKnown ? 0 : NO_SUCH_NAME), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(found.length, 6);
  return Buffer.concat([head, question, ...found.map((text) => recordOf(type, dataOf(type, text)))]);
}

/** Its name is that of the question, whose place in the message it gives. */
function recordOf(type: number, data: Buffer): Buffer {
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function dataOf(type: number, text: string): Buffer {
  if (type === 1) return Buffer.from(text.split('.').map(Number));
  if (type === 16) return Buffer.from([text.length, ...Buffer.from(text)]);
  const [port, host = ''] = text.split(' ');
  const head = Buffer.alloc(6);
  head.writeUInt16BE(Number(port), 4);
  const labels = host.split('.').flatMap((label) => [label.length, ...Buffer.from(label)]);
  return Buffer.concat([head, Buffer.from([...labels, 0])]);
}
