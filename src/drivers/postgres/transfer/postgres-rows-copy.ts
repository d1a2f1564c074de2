import type { ClientBase } from 'pg';
import type { Column } from '../../driver.ts';
import type { RowsCopy } from '../../engine-file.ts';
import { RowsWait } from '../../sql/rows-wait.ts';
import { cancelled } from '../../sql/session-turns.ts';
import type { PostgresTable } from '../introspect.ts';
import { postgresFault } from '../postgres-fault.ts';
import { asDeclared, beginText, resultColumns } from '../read.ts';
import type { SessionPool } from '../session-pool.ts';
import type { CopyIn } from './copy-in.ts';
import { CopyOut } from './copy-out.ts';
import type { CopyFormat, SourceField } from './same-types.ts';

/** A statement whose rows may go to another server without being read here. */
export interface CopySource {
  readonly pool: SessionPool;
  readonly sql: string;
  /** Longest wait for rows. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The table whose rows they are; null where they are those of a query. */
type FindSource = (client: ClientBase) => Promise<PostgresTable | null>;

/** The rows of a statement as PostgreSQL servers hand them to each other. */
export class PostgresRowsCopy implements RowsCopy {
  readonly format = 'copy';
  readonly engine = 'postgres';
  readonly columns: readonly Column[];
  readonly fields: readonly SourceField[];
  /** The server's major version. */
  readonly version: number;
  readonly #source: CopySource;

  private constructor(
    source: CopySource,
    fields: readonly SourceField[],
    described: readonly Column[],
    version: number,
  ) {
    this.#source = source;
    this.fields = fields;
    this.columns = described;
    this.version = version;
  }

  /** Looks at the columns alone. null where two have one name. */
  static async of(source: CopySource, findSource: FindSource): Promise<PostgresRowsCopy | null> {
    const { pool, sql, timeoutMs, signal } = source;
    return pool.run(signal, async (client) => {
      const table = await findSource(client);
      await client.query(beginText({ readOnly: true, statementTimeoutMs: timeoutMs }));
      const { fields } = await client.query({
        text: `SELECT * FROM (${sql}\n) AS rows LIMIT 0`,
        rowMode: 'array',
      });
      const { rows } = await client.query<{ version: number }>(
        `SELECT current_setting('server_version_num')::int / 10000 AS version`,
      );
      await client.query('ROLLBACK');
      const columns = asDeclared(resultColumns(fields), table);
      if (columns.some(({ name }, at) => name !== fields[at]?.name)) return null;
      return new PostgresRowsCopy(source, fields, columns, rows[0]?.version ?? 0);
    });
  }

  /** Sends all rows; gives how many went, and how many the target took. After an error the target has none. */
  async sendTo(into: CopyIn, format: CopyFormat, onRows: (rows: number) => void): Promise<SentRows> {
    const { pool, sql, timeoutMs, signal } = this.#source;
    const wait = new RowsWait(signal, timeoutMs);
    const session = await pool.take(wait.signal);
    const copy = new CopyOut(`COPY (${sql}\n) TO STDOUT (FORMAT ${format})`);
    let isBroken = true;
    try {
      const begin = beginText({ readOnly: true, statementTimeoutMs: 0 });
      await session.client.query(`${begin}; SET LOCAL extra_float_digits = 3`);
      session.client.query(copy);
      for await (const bytes of wait.timed(copy.bytes())) {
        await into.send(bytes);
        onRows(copy.messages);
      }
      await session.client.query('ROLLBACK');
      isBroken = false;
      // The binary format has a message for its end.
      return { sent: copy.messages - (format === 'binary' ? 1 : 0), taken: await into.end() };
    } catch (error) {
      await into.fail(copy.missingBytes);
      if (signal.aborted) throw cancelled(error);
      if (error === into.failure) throw error;
      throw wait.fault ?? postgresFault(error, 'read');
    } finally {
      session.release(isBroken);
    }
  }
}

export interface SentRows {
  readonly sent: number;
  /** A trigger may drop rows. */
  readonly taken: number;
}
