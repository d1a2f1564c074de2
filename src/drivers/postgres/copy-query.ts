import type { ClientBase, Submittable } from 'pg';
import type { Row } from '../driver.ts';
import { blocksOf, type LineWriter } from '../sql/load/row-lines.ts';

const headerBytes = 5;
const COPIED = /^COPY (\d+)$/;
const COPY_DATA = 0x64;
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4]);
const COPY_FAIL = Buffer.from([0x66, 0, 0, 0, 5, 0]);

/** What it needs of `pg`'s connection: its socket, and the sending of a statement. */
interface CopyConnection {
  query(text: string): void;
  readonly stream: {
    readonly writable: boolean;
    write(bytes: Uint8Array): boolean;
    once(event: 'drain', listener: () => void): unknown;
  };
}

/**
 * One COPY FROM STDIN with all its rows. The rows follow the statement at once, without waiting for the server to ask for them:
 * a server that refuses the statement drops them. Only the end of the rows waits for its answer.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY
 */
class CopyQuery implements Submittable {
  /** How many rows the table has taken. */
  readonly done = Promise.withResolvers<number>();
  readonly #sql: string;
  readonly #messages: Iterator<Buffer>;
  #connection: CopyConnection | null = null;
  /** The last message, once all rows have gone. */
  #end: Buffer | null = null;
  #isAccepted = false;
  #taken = 0;
  #failure: unknown = null;

  constructor(sql: string, rows: readonly Row[], lines: LineWriter) {
    this.#sql = sql;
    this.#messages = copyMessages(rows, lines);
  }

  submit(connection: unknown): void {
    this.#connection = connection as CopyConnection;
    this.#connection.query(this.#sql);
    this.#send();
  }

  handleCopyInResponse(): void {
    this.#isAccepted = true;
    this.#finish();
  }

  /** The statements around the COPY end with it. */
  handleCommandComplete({ text = '' }: { readonly text?: string }): void {
    const [, taken] = COPIED.exec(text) ?? [];
    if (taken !== undefined) this.#taken = Number(taken);
  }

  handleReadyForQuery(): void {
    this.#connection = null;
    this.done.resolve(this.#taken);
  }

  /** The server has refused the statement or a row, or its connection is lost. */
  handleError(error: unknown): void {
    this.#connection = null;
    this.done.reject(this.#failure ?? error);
  }

  /** Sends rows for as long as the socket takes them. */
  #send(): void {
    const connection = this.#connection;
    if (connection === null || !connection.stream.writable) return;
    try {
      for (;;) {
        const next = this.#messages.next();
        if (next.done === true) break;
        if (connection.stream.write(next.value)) continue;
        connection.stream.once('drain', () => this.#send());
        return;
      }
      this.#end = COPY_DONE;
    } catch (error) {
      // A value that has no text: the server must discard the rows before it.
      this.#failure = error;
      this.#end = COPY_FAIL;
    }
    this.#finish();
  }

  #finish(): void {
    if (this.#end !== null && this.#isAccepted) this.#connection?.stream.write(this.#end);
  }
}

/** Rows as messages of CopyData: type, length, text. */
function* copyMessages(rows: readonly Row[], lines: LineWriter): Generator<Buffer> {
  for (const message of blocksOf(rows, lines, headerBytes)) {
    message[0] = COPY_DATA;
    message.writeUInt32BE(message.length - 1, 1);
    yield message;
  }
}

/** Runs `sql`, which ends in a COPY FROM STDIN, with these rows; gives how many of them the table has taken. Rejects with the server's error, after which none is in. */
export function copyRows(
  client: ClientBase,
  sql: string,
  rows: readonly Row[],
  lines: LineWriter,
): Promise<number> {
  return client.query(new CopyQuery(sql, rows, lines)).done.promise;
}
