import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { BSON, Long } from 'mongodb';
import { type Command, DocumentStore } from './document-store.ts';

const OP_REPLY = 1;
const OP_QUERY = 2_004;
const OP_MSG = 2_013;
const HEADER_BYTES = 16;
const DOCUMENTS = 1;

export interface WireOptions {
  /** Answers a command by itself; undefined leaves it to the store. */
  readonly answer?: (name: string, command: Command) => object | undefined | Promise<object | undefined>;
  readonly tls?: TlsOptions;
  /** A member of this replica set, whose members have these addresses; null: a server of its own. */
  readonly replicaSet?: { readonly name: string; readonly hosts: (port: number) => readonly string[] };
}

export interface WireServer {
  readonly port: number;
  readonly store: DocumentStore;
  /** What clients asked for, but for the handshake. */
  readonly commands: readonly Command[];
  /** Connections that are open. */
  readonly sockets: ReadonlySet<Socket>;
  close(): Promise<void>;
}

/**
 * A small server of MongoDB's wire protocol (OP_MSG, and OP_QUERY for the first hello) over documents in memory, for what FerretDB lacks:
 * pipelines by mingo, decimals, transactions, replica sets, and answers of a test's own.
 */
export async function startWireServer(options: WireOptions = {}): Promise<WireServer> {
  const store = new DocumentStore();
  const commands: Command[] = [];
  const sockets = new Set<Socket>();
  let port = 0;
  const hello = () => ({
    helloOk: true,
    ismaster: true,
    isWritablePrimary: true,
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    minWireVersion: 0,
    maxWireVersion: 21,
    connectionId: 1,
    ...(options.replicaSet === undefined
      ? {}
      : {
          setName: options.replicaSet.name,
          setVersion: 1,
          hosts: options.replicaSet.hosts(port),
          me: `127.0.0.1:${port}`,
          primary: `127.0.0.1:${port}`,
          logicalSessionTimeoutMinutes: 30,
        }),
    ok: 1,
  });
  const respond = async (command: Command): Promise<object> => {
    const [name = ''] = Object.keys(command);
    if (['hello', 'ismaster', 'isMaster'].includes(name)) return hello();
    commands.push(command);
    const own = await options.answer?.(name, command);
    return own ?? store.run(name, command);
  };
  const serve = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    void answerAll(socket, respond);
  };
  const server: Server =
    options.tls === undefined ? createServer(serve) : createTlsServer(options.tls, serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  return {
    port,
    store,
    commands,
    sockets,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answerAll(socket: Socket, respond: (command: Command) => Promise<object>): Promise<void> {
  let bytes = Buffer.alloc(0);
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      bytes = Buffer.concat([bytes, chunk]);
      while (bytes.length >= 4 && bytes.length >= bytes.readInt32LE(0)) {
        const length = bytes.readInt32LE(0);
        const message = bytes.subarray(0, length);
        bytes = bytes.subarray(length);
        const id = message.readInt32LE(4);
        const isQuery = message.readInt32LE(12) === OP_QUERY;
        const answer = await respond(isQuery ? readQuery(message) : readMessage(message));
        if (!socket.destroyed) socket.write(isQuery ? replyTo(id, answer) : messageTo(id, answer));
      }
    }
  } catch {
    socket.destroy();
  }
}

function read(bytes: Buffer): Command {
  return BSON.deserialize(bytes, { promoteLongs: true, bsonRegExp: false }) as Command;
}

/** A document of each section of kind 0, and the lists of those of kind 1. */
function readMessage(message: Buffer): Command {
  let at = HEADER_BYTES + 4;
  let command: Command = {};
  const lists: Record<string, Command[]> = {};
  while (at < message.length) {
    const kind = message[at];
    at += 1;
    const end = at + message.readInt32LE(at);
    if (kind !== DOCUMENTS) {
      command = read(message.subarray(at, end));
      at = end;
      continue;
    }
    const nameEnd = message.indexOf(0, at + 4);
    const list: Command[] = [];
    lists[message.subarray(at + 4, nameEnd).toString()] = list;
    for (at = nameEnd + 1; at < end; ) {
      const next = at + message.readInt32LE(at);
      list.push(read(message.subarray(at, next)));
      at = next;
    }
  }
  return { ...command, ...lists };
}

function readQuery(message: Buffer): Command {
  const at = message.indexOf(0, HEADER_BYTES + 4) + 1 + 8;
  return read(message.subarray(at, at + message.readInt32LE(at)));
}

function framed(id: number, opcode: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeInt32LE(HEADER_BYTES + body.length, 0);
  header.writeInt32LE(id, 8);
  header.writeInt32LE(opcode, 12);
  return Buffer.concat([header, body]);
}

function messageTo(id: number, answer: object): Buffer {
  return framed(id, OP_MSG, Buffer.alloc(5), BSON.serialize(answer));
}

function replyTo(id: number, answer: object): Buffer {
  const fields = Buffer.alloc(20);
  fields.writeInt32LE(8, 0);
  fields.writeBigInt64LE(Long.ZERO.toBigInt(), 4);
  fields.writeInt32LE(1, 16);
  return framed(id, OP_REPLY, fields, BSON.serialize(answer));
}
