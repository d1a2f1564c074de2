import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import pg from 'pg';

/** Of one answer: what the server sends after it was asked, until it is asked again. A cursor asks for each batch. */
const ANSWER_BYTES_MAX = 128 * 1_048_576;

/** The server sent more in one answer than a client takes; the connection is closed. */
export class AnswerTooLargeError extends Error {
  constructor() {
    super(`The server sent more than ${ANSWER_BYTES_MAX / 1_048_576} MB in one answer`);
    this.name = 'AnswerTooLargeError';
  }
}

/** What is used of `pg`'s connection. */
type Connection = EventEmitter & { readonly stream: Socket; readonly ssl: unknown };

/**
 * A client that closes its connection when an answer grows beyond all use: `pg` gathers a message whole, outside the heap and
 * whatever its length, so that no limit of a thread would stop a server that sends without end.
 */
export class BoundedClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { readonly connection: Connection };
    // Encryption begins on the plain socket, which then hands over.
    if (connection.ssl) connection.once('sslconnect', () => boundAnswers(connection.stream));
    else boundAnswers(connection.stream);
  }
}

function boundAnswers(socket: Socket): void {
  let received = 0;
  let asked = socket.bytesWritten;
  socket.prependListener('data', (chunk: Buffer) => {
    const { bytesWritten } = socket;
    received = bytesWritten === asked ? received + chunk.byteLength : chunk.byteLength;
    asked = bytesWritten;
    if (received > ANSWER_BYTES_MAX) socket.destroy(new AnswerTooLargeError());
  });
}

/**
 * A pool of PostgreSQL connections none of which ends the process: one that breaks while it is idle is passed to `onIdleError` and
 * replaced when it is needed; one that breaks on loan, between two statements, has nobody else to tell, and fails its next statement.
 * Source: https://node-postgres.com/apis/pool#events.
 */
export function createPgPool(
  config: pg.PoolConfig,
  onIdleError: (error: Error) => void,
  onBroken: (error: Error) => void = () => undefined,
): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', onIdleError);
  pool.on('connect', (client) => client.on('error', onBroken));
  return pool;
}
