import { connect, type Socket } from 'node:net';

/** Frame types of RFC 9113, section 6. */
export const FRAME = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  continuation: 9,
} as const;
export const END_STREAM = 1;
export const END_HEADERS = 4;
const ACK = 1;
const FRAME_HEADER_BYTES = 9;

export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const header = Buffer.alloc(FRAME_HEADER_BYTES);
  header.writeUIntBE(payload.length, 0, 3);
  header.writeUInt8(type, 3);
  header.writeUInt8(flags, 4);
  header.writeUInt32BE(stream, 5);
  return Buffer.concat([header, payload]);
}

/** HPACK, the literal form without indexing (RFC 7541, 6.2.2); names and values below 127 bytes. */
export function headerBlock(fields: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = [];
  for (const [name, value] of Object.entries(fields)) {
    parts.push(Buffer.from([0, name.length]), Buffer.from(name));
    parts.push(Buffer.from([value.length]), Buffer.from(value));
  }
  return Buffer.concat(parts);
}

export function callHeaders(path: string, fields: Readonly<Record<string, string>> = {}): Buffer {
  return headerBlock({
    ':method': 'POST',
    ':scheme': 'http',
    ':path': path,
    ':authority': 'localhost',
    te: 'trailers',
    'content-type': 'application/grpc',
    ...fields,
  });
}

export function resetFrame(stream: number): Buffer {
  const code = Buffer.alloc(4);
  code.writeUInt32BE(8);
  return frame(FRAME.reset, 0, stream, code);
}

export const PREFACE = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  frame(FRAME.settings, 0, 0),
  frame(FRAME.settings, ACK, 0),
]);

export interface Frame {
  readonly type: number;
  readonly stream: number;
  readonly payload: Buffer;
}

function framesIn(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at + FRAME_HEADER_BYTES <= bytes.length; ) {
    const from = at + FRAME_HEADER_BYTES;
    const to = from + bytes.readUIntBE(at, 3);
    if (to > bytes.length) break;
    frames.push({
      type: bytes.readUInt8(at + 3),
      stream: bytes.readUInt32BE(at + 5),
      payload: bytes.subarray(from, to),
    });
    at = to;
  }
  return frames;
}

/** A connection that says what it likes, and keeps what was answered. */
export interface RawPeer {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  answered(): Frame[];
  /** Error code of the server's GOAWAY; null where there was none. */
  goaway(): number | null;
}

export async function rawPeer(port: number): Promise<RawPeer> {
  const socket = connect(port, '127.0.0.1');
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const chunks: Buffer[] = [];
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => chunks.push(chunk));
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  const answered = () => framesIn(Buffer.concat(chunks));
  return {
    socket,
    closed,
    answered,
    goaway() {
      const codes = answered()
        .filter(({ type }) => type === FRAME.goaway)
        .map(({ payload }) => payload.readUInt32BE(4));
      return codes.find((code) => code !== 0) ?? null;
    },
  };
}
