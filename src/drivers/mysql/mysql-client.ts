import { connect as connectSocket, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FieldPacket } from 'mysql2';
import mysql from 'mysql2';
import { requireValueCount } from '../sql/value-count.ts';

/** Of what the server sends between two rows, or as the answer to a statement that gives none. */
const ANSWER_BYTES_MAX = 128 * 1_048_576;
/** The only name by which a LOAD DATA of ours asks for its rows. */
export const ROWS_FILE = 'headgate-rows';

/** The server sent more in one answer than a client takes; the connection is closed. */
export class AnswerTooLargeError extends Error {
  constructor() {
    super(`The server sent more than ${ANSWER_BYTES_MAX / 1_048_576} MB in one answer`);
    this.name = 'AnswerTooLargeError';
  }
}

/** What a statement gave. */
export interface Answer {
  /** Values of rows; empty for a statement without a result. */
  readonly rows: readonly (readonly unknown[])[];
  readonly fields: readonly FieldPacket[];
  readonly changed: number;
  readonly warnings: number;
}

interface Header {
  readonly affectedRows?: number;
  readonly warningStatus?: number;
}

/** What the client's types leave out. The command has the count, unless the statement was kept prepared: then it answers at once. */
interface Preparing {
  prepare(
    options: mysql.QueryOptions,
    done: (error: Error | null, statement: Prepared) => void,
  ): { readonly parameterCount: number };
}

interface Prepared {
  readonly columns: readonly FieldPacket[];
}

/** Rows as they come, and their columns before the first of them. */
export interface RowStream {
  readonly rows: Readable;
  /** Of the first result; undefined until it has come. */
  fields(): readonly FieldPacket[] | undefined;
}

/**
 * One connection of `mysql2`. It never takes two statements at once, and closes itself where an answer grows beyond all use. The
 * server may ask for a file of the client whenever it likes: it gets the rows of `load` while that runs, and else nothing.
 */
export class MysqlClient {
  readonly #connection: mysql.Connection;
  readonly #meter: AnswerMeter;
  /** Placeholders of the statements that the client keeps prepared. */
  readonly #counts = new WeakMap<object, number>();

  private constructor(connection: mysql.Connection, meter: AnswerMeter) {
    this.#connection = connection;
    this.#meter = meter;
  }

  /** Rejects with the client's error; `signal` closes the socket. */
  static connect(options: mysql.ConnectionOptions, signal: AbortSignal): Promise<MysqlClient> {
    const { host = '', port = 0 } = options;
    const meter = new AnswerMeter();
    const connection = mysql.createConnection({
      ...options,
      stream: () => meter.watch(connectSocket({ host, port, noDelay: true, keepAlive: true })),
    });
    // One that breaks while it is idle fails its next statement.
    connection.on('error', () => undefined);
    const client = new MysqlClient(connection, meter);
    const abort = () => client.destroy();
    signal.addEventListener('abort', abort, { once: true });
    return new Promise<MysqlClient>((resolve, reject) => {
      connection.connect((error) => {
        if (!error) return resolve(client);
        client.destroy();
        reject(meter.error ?? error);
      });
    }).finally(() => signal.removeEventListener('abort', abort));
  }

  /** The socket, which encryption replaces. */
  get #socket(): Socket {
    return (this.#connection as unknown as { readonly stream: Socket }).stream;
  }

  get isEnded(): boolean {
    return this.#socket.destroyed || !this.#socket.writable;
  }

  ref(): void {
    this.#socket.ref();
  }

  /** The process may end while the connection is idle. */
  unref(): void {
    this.#socket.unref();
  }

  get threadId(): number {
    return this.#connection.threadId;
  }

  /** Runs a statement of ours, or one without bound values: it goes as text, and the server takes one alone. */
  query(sql: string): Promise<Answer> {
    return this.#ask((done) => this.#connection.query({ sql, rowsAsArray: true }, done));
  }

  /** Runs a statement whose values the server binds. Throws `CONFIG` for more or fewer of them than it has placeholders. */
  async execute(sql: string, values: readonly unknown[]): Promise<Answer> {
    await this.#requireValues(sql, values);
    return this.#ask((done) => {
      this.#connection.execute({ sql, rowsAsArray: true, values: [...values] as never }, done);
    });
  }

  /**
   * Rows of a statement; nothing else may run until the stream has ended. Throws `CONFIG` for more or fewer values than it has
   * placeholders.
   */
  async stream(sql: string, values: readonly unknown[], highWaterMark: number): Promise<RowStream> {
    await this.#requireValues(sql, values);
    this.#meter.begin();
    let fields: readonly FieldPacket[] | undefined;
    const command = this.#connection.execute({ sql, rowsAsArray: true, values: [...values] as never });
    command.on('fields', (given: readonly FieldPacket[] | undefined) => {
      // The client refuses a column of this name, which `resultNames` would give the same one.
      for (const field of given ?? []) if (field.name === '__proto__') field.name = '__proto___2';
      fields ??= given ?? [];
    });
    command.on('result', () => this.#meter.begin());
    const rows = command.stream({ highWaterMark });
    // A connection that is lost tells itself, and not the statement that is read.
    const fail = (error: Error) => rows.destroy(this.#meter.error ?? error);
    this.#connection.once('error', fail);
    rows.once('close', () => this.#connection.off('error', fail));
    return { rows, fields: () => fields };
  }

  /** Runs a LOAD DATA LOCAL INFILE of `ROWS_FILE`, which is given these bytes. */
  load(sql: string, chunks: Iterable<Buffer>): Promise<Answer> {
    const infileStreamFactory = (file: string) => {
      // Whatever another name stands for on this machine, the server does not get it.
      if (file === ROWS_FILE) return Readable.from(chunks, { objectMode: false });
      const refused = new Error('The server asked for a file that no statement names');
      return new Readable({
        read() {
          this.destroy(refused);
        },
      });
    };
    return this.#ask((done) => this.#connection.query({ sql, rowsAsArray: true, infileStreamFactory }, done));
  }

  /** Closes the socket; whatever runs is rejected. */
  destroy(): void {
    this.#socket.destroy(new Error('The connection was closed'));
  }

  /** Says goodbye to the server. */
  end(): void {
    this.#connection.end(() => undefined);
  }

  /** The columns that a statement will give. */
  async fieldsOf(sql: string): Promise<readonly FieldPacket[]> {
    return (await this.#prepare(sql)).columns;
  }

  /** The client sends whatever it is given, and the server takes one value too many for the bytes of those before it. */
  async #requireValues(sql: string, values: readonly unknown[]): Promise<void> {
    requireValueCount(this.#counts.get(await this.#prepare(sql)) ?? 0, values.length);
  }

  #prepare(sql: string): Promise<Prepared> {
    this.#meter.begin();
    return new Promise((resolve, reject) => {
      const connection = this.#connection as unknown as Preparing;
      // With the same options as what follows, which then finds it prepared.
      const command = connection.prepare({ sql, rowsAsArray: true }, (error, statement) => {
        if (error) return reject(this.#meter.error ?? error);
        this.#counts.set(statement, this.#counts.get(statement) ?? command.parameterCount);
        resolve(statement);
      });
    });
  }

  #ask(start: (done: (error: unknown, result: unknown, fields: unknown) => void) => void): Promise<Answer> {
    this.#meter.begin();
    return new Promise((resolve, reject) => {
      start((error, result, fields) => {
        if (error !== null && error !== undefined) return reject(this.#meter.error ?? error);
        if (Array.isArray(result)) {
          const rows = result as readonly (readonly unknown[])[];
          return resolve({ rows, fields: (fields ?? []) as FieldPacket[], changed: 0, warnings: 0 });
        }
        const { affectedRows = 0, warningStatus = 0 } = result as Header;
        resolve({ rows: [], fields: [], changed: affectedRows, warnings: warningStatus });
      });
    });
  }
}

/** Counts what comes, and ends the socket where that is too much. */
class AnswerMeter {
  error: AnswerTooLargeError | null = null;
  #received = 0;

  begin(): void {
    this.#received = 0;
  }

  watch(socket: Socket): Socket {
    socket.prependListener('data', (chunk: Buffer) => {
      this.#received += chunk.byteLength;
      if (this.#received <= ANSWER_BYTES_MAX) return;
      this.error = new AnswerTooLargeError();
      socket.destroy(this.error);
    });
    return socket;
  }
}
