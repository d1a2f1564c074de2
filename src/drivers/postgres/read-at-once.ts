import type { ClientBase, Connection, ExecuteConfig, FieldDef, QueryParse, Submittable } from 'pg';
import type { SqlStatement } from '../sql/flavor.ts';
import { typeParsers } from './value-type.ts';

export interface AtOnceOptions {
  /** Statements of ours that begin the transaction, and the one that ends it. */
  readonly before: readonly string[];
  readonly after: string;
  /** Rows at most; what the statement would give beyond them is not sent. */
  readonly limit: number;
}

export interface RowsAtOnce {
  readonly fields: readonly FieldDef[];
  readonly rows: readonly unknown[][];
}

type Parser = (text: string) => unknown;

const PORTAL = 'rows';

/**
 * The rows of one statement in a transaction of its own, asked for in one message of the extended protocol, which takes one statement
 * at a time: begin, statement and end take one round trip together, where a cursor takes five. Where a statement fails, the server
 * passes over the rest of the message and the transaction is left to the caller. Source:
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING.
 */
export function readAtOnce(
  client: ClientBase,
  statement: SqlStatement,
  options: AtOnceOptions,
): Promise<RowsAtOnce> {
  const query = new AtOnceQuery(statement, options);
  client.query(query);
  return query.answer;
}

/** What `pg` sends for a query, and what it hands its answer to. */
class AtOnceQuery implements Submittable {
  readonly #statement: SqlStatement;
  readonly #options: AtOnceOptions;
  readonly #answer = Promise.withResolvers<RowsAtOnce>();
  readonly #rows: unknown[][] = [];
  #fields: readonly FieldDef[] = [];
  #parsers: readonly Parser[] = [];
  #failure: Error | null = null;

  constructor(statement: SqlStatement, options: AtOnceOptions) {
    this.#statement = statement;
    this.#options = options;
  }

  get answer(): Promise<RowsAtOnce> {
    return this.#answer.promise;
  }

  submit(connection: Connection): void {
    const { before, after, limit } = this.#options;
    connection.stream.cork();
    for (const text of before) execute(connection, { text });
    execute(connection, { text: this.#statement.sql, values: this.#statement.params, portal: PORTAL, limit });
    execute(connection, { text: after });
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.#fields = fields;
    this.#parsers = fields.map(({ dataTypeID }) => typeParsers.getTypeParser(dataTypeID) as Parser);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#failure !== null) return;
    try {
      this.#rows.push(fields.map((text, at) => (text === null ? null : this.#parsers[at]?.(text))));
    } catch (error) {
      this.#failure = error as Error;
    }
  }

  handleReadyForQuery(): void {
    if (this.#failure !== null) this.#answer.reject(this.#failure);
    else this.#answer.resolve({ fields: this.#fields, rows: this.#rows });
  }

  handleError(error: Error): void {
    this.#answer.reject(this.#failure ?? error);
  }

  handleCommandComplete(): void {}

  handlePortalSuspended(): void {}

  handleEmptyQuery(): void {}

  handleCopyInResponse(connection: Connection & { sendCopyFail(message: string): void }): void {
    connection.sendCopyFail('No rows are sent');
  }

  handleCopyData(): void {}
}

interface Step {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** That of the statement whose rows are described; absent: none are. */
  readonly portal?: string;
  /** Default: no limit. */
  readonly limit?: number;
}

/** The types of `pg` ask for more than it reads. */
function execute(connection: Connection, { text, values = [], portal = '', limit }: Step): void {
  connection.parse({ text } as QueryParse, true);
  connection.bind({ portal, values: values.map(boundValue) }, true);
  if (portal !== '') connection.describe({ type: 'P', name: portal }, true);
  connection.execute({ portal, rows: limit } as unknown as ExecuteConfig, true);
}

function boundValue(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return String(value);
}
