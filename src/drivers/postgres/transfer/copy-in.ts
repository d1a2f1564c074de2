import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Submittable } from 'pg';

const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4]);
const COPY_FAIL = Buffer.from([0x66, 0, 0, 0, 5, 0]);

interface CopyConnection {
  query(text: string): void;
  readonly stream: Socket;
}

/** One COPY FROM STDIN that gets messages with rows as bytes. https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY */
export class CopyIn implements Submittable {
  readonly #sql: string;
  readonly #accepted = Promise.withResolvers<void>();
  readonly #done = Promise.withResolvers<number>();
  readonly #failed = new AbortController();
  #socket: Socket | null = null;
  #rows = 0;

  constructor(sql: string) {
    this.#sql = sql;
    this.#accepted.promise.catch(() => undefined);
    this.#done.promise.catch(() => undefined);
  }

  submit(connection: unknown): void {
    const { stream, query } = connection as CopyConnection;
    this.#socket = stream;
    query.call(connection, this.#sql);
  }

  handleCopyInResponse(): void {
    this.#accepted.resolve();
  }

  handleCommandComplete({ text = '' }: { readonly text?: string }): void {
    this.#rows = Number(/^COPY (\d+)$/.exec(text)?.[1] ?? 0);
  }

  handleReadyForQuery(): void {
    this.#done.resolve(this.#rows);
  }

  /** The server has refused the statement or a row, or its connection is lost. */
  handleError(error: unknown): void {
    this.#accepted.reject(error);
    this.#done.reject(error);
    this.#failed.abort(error);
  }

  /** Resolves when the server takes rows. */
  get accepted(): Promise<void> {
    return this.#accepted.promise;
  }

  /** Sends bytes; resolves when there is room for more. Rejects once the server has refused the rows. */
  async send(bytes: Buffer): Promise<void> {
    const { signal } = this.#failed;
    const socket = this.#socket;
    // Also what is not wanted any more: the messages must stay whole.
    const hasRoom = socket === null || socket.write(bytes);
    if (signal.aborted) throw signal.reason;
    if (hasRoom) return;
    await Promise.race([once(socket, 'drain', { signal }), this.#done.promise]).catch(() => undefined);
    if (signal.aborted) throw signal.reason;
  }

  /** Ends the rows; resolves with how many went in. */
  end(): Promise<number> {
    this.#socket?.write(COPY_DONE);
    return this.#done.promise;
  }

  /** Why the server has refused the rows; undefined where it has not. */
  get failure(): unknown {
    return this.#failed.signal.reason;
  }

  /** Takes the rows back. `missingBytes`: of the last message, which has not gone as a whole. Resolves when the session is usable again. */
  async fail(missingBytes: number): Promise<void> {
    if (missingBytes > 0) this.#socket?.write(Buffer.alloc(missingBytes));
    if (!this.#failed.signal.aborted) this.#socket?.write(COPY_FAIL);
    await this.#done.promise.catch(() => undefined);
  }
}
