import type { Socket } from 'node:net';
import type { Submittable } from 'pg';

const COPY_DATA = 0x64;
const HEADER_BYTES = 5;
/** Messages that may come between those of the rows. */
const BETWEEN: ReadonlySet<number> = new Set([0x48, 0x4e, 0x53, 0x41]);
/** Pieces of the socket that wait until they are taken. */
const PIECES_MAX = 4;

type Listener = (chunk: Buffer) => void;

/** What it needs of `pg`'s connection. */
interface CopyConnection {
  query(text: string): void;
  readonly stream: Socket;
}

/**
 * One COPY TO STDOUT whose messages are handed on as they come: those of the server with rows are, byte for byte, those that a client sends
 * to another server. `pg` would make an event of every row, so that its reading of the socket rests meanwhile.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY
 */
export class CopyOut implements Submittable {
  readonly #sql: string;
  readonly #done = Promise.withResolvers<void>();
  readonly #pieces: Buffer[] = [];
  #socket: Socket | null = null;
  #resting: Listener[] = [];
  #wake: (() => void) | null = null;
  #isOver = false;
  /** The beginning of a message whose header has not come as a whole. */
  #torn: Buffer = Buffer.alloc(0);
  /** Bytes of the current message that have not come. */
  #left = 0;
  #isRow = false;

  /** Messages with rows that have come; of the binary format one more, with its end. */
  messages = 0;

  constructor(sql: string) {
    this.#sql = sql;
    this.#done.promise.catch(() => undefined);
  }

  submit(connection: unknown): void {
    const { stream, query } = connection as CopyConnection;
    this.#socket = stream;
    query.call(connection, this.#sql);
    this.#resting = stream.listeners('data') as Listener[];
    stream.on('data', this.#take);
    for (const listener of this.#resting) stream.off('data', listener);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#end(null);
  }

  handleError(error: unknown): void {
    this.#end(error);
  }

  handleCopyData(): void {}

  /** Bytes of a message that has come in part: whoever has got its beginning lacks so many. */
  get missingBytes(): number {
    return this.#isRow ? this.#left : 0;
  }

  /** The bytes of the messages with rows, in order. Rejects with what ends the COPY early. */
  async *bytes(): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) {
        if (this.#pieces.length < PIECES_MAX) this.#socket?.resume();
        yield* this.#rowsOf(piece);
        continue;
      }
      if (this.#isOver) break;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    await this.#done.promise;
  }

  readonly #take = (piece: Buffer): void => {
    this.#pieces.push(piece);
    if (this.#pieces.length >= PIECES_MAX) this.#socket?.pause();
    this.#stir();
  };

  #stir(): void {
    this.#wake?.();
    this.#wake = null;
  }

  #end(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (error === null) this.#done.resolve();
    else this.#done.reject(error);
    this.#stir();
  }

  /** The parts of a piece that belong to rows; at any other message than the few between them `pg` reads on. */
  *#rowsOf(piece: Buffer): Generator<Buffer> {
    const bytes = this.#torn.length === 0 ? piece : Buffer.concat([this.#torn, piece]);
    this.#torn = bytes.subarray(0, 0);
    let from = 0;
    let at = 0;
    while (at < bytes.length) {
      if (this.#left === 0) {
        if (at + HEADER_BYTES > bytes.length) break;
        const type = bytes[at] as number;
        const isRow = type === COPY_DATA;
        if (!isRow || !this.#isRow) {
          if (this.#isRow && at > from) yield bytes.subarray(from, at);
          from = at;
        }
        if (!isRow && !BETWEEN.has(type)) {
          this.#isRow = false;
          this.#giveBack(bytes.subarray(at));
          return;
        }
        this.#isRow = isRow;
        if (isRow) this.messages++;
        this.#left = bytes.readUInt32BE(at + 1) + 1;
      }
      const step = Math.min(this.#left, bytes.length - at);
      this.#left -= step;
      at += step;
    }
    if (this.#isRow && at > from) yield bytes.subarray(from, at);
    this.#torn = bytes.subarray(at);
  }

  /** `pg` reads the socket again, from these bytes on. */
  #giveBack(rest: Buffer): void {
    const socket = this.#socket;
    if (socket === null || this.#resting.length === 0) return;
    const listeners = this.#resting;
    this.#resting = [];
    socket.off('data', this.#take);
    for (const listener of listeners) socket.on('data', listener);
    for (const piece of [rest, ...this.#pieces.splice(0)])
      if (piece.length > 0) for (const listener of listeners) listener.call(socket, piece);
    socket.resume();
  }
}
