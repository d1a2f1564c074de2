import type { BucketSum, Cell, Digest, DigestedRow, DigestRequest } from '../../digest/digest.ts';
import { ConnectorError } from '../../driver.ts';
import { type DigestStatements, type DigestWords, digestStatements } from '../../sql/digest/digest-sql.ts';
import { cancelled, untilAborted } from '../../sql/session-turns.ts';
import { mysqlFlavor } from '../flavor.ts';
import { requireTable } from '../introspect.ts';
import { mysqlFault } from '../mysql-fault.ts';
import type { Session, SessionPool } from '../session-pool.ts';
import type { ReadOptions } from '../value-type.ts';
import { columnText } from './column-text.ts';

const ROWS_AT_ONCE = 1_000;

const WORDS: DigestWords = {
  flavor: mysqlFlavor,
  concat: (texts) => (texts.length === 1 ? (texts[0] ?? '') : `CONCAT(${texts.join(', ')})`),
  bytesOf: (text) => `LENGTH(${text})`,
  bucketNumber: (digits) => `CAST(CONV(${digits}, 16, 10) AS UNSIGNED)`,
  sumNumber: (digits) => `CAST(CONV(${digits}, 16, 10) AS UNSIGNED)`,
  byBytes: (column) => column,
};

/** A digest in a snapshot of its own; null where a column has no normal form in this engine. */
export async function openMysqlDigest(
  pool: SessionPool,
  options: ReadOptions,
  request: DigestRequest,
): Promise<Digest | null> {
  const { signal, resource, key } = request;
  const session = await pool.open(signal);
  try {
    const { client } = session;
    await client.query('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await client.query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
    const table = await requireTable(session, resource, pool.database);
    const columns = new Map(table.columns.map((column) => [column.name, column]));
    const statements = digestStatements(
      request,
      {
        from: table.name.sql,
        textOf: (wanted) => {
          const column = columns.get(wanted.name);
          return column === undefined ? null : columnText(column, wanted, options, key.includes(wanted));
        },
      },
      WORDS,
    );
    if (statements !== null) return new MysqlDigest(session, statements, request);
    session.release(true);
    return null;
  } catch (error) {
    session.release(true);
    throw signal.aborted ? cancelled(error) : mysqlFault(error, 'read');
  }
}

class MysqlDigest implements Digest {
  readonly isOwn = false;
  readonly #session: Session;
  readonly #statements: DigestStatements;
  readonly #request: DigestRequest;

  constructor(session: Session, statements: DigestStatements, request: DigestRequest) {
    this.#session = session;
    this.#statements = statements;
    this.#request = request;
  }

  async sums(): Promise<readonly BucketSum[]> {
    const { signal, resource } = this.#request;
    const { sql, params } = this.#statements.sums;
    const asked = this.#session.client.execute(sql, params);
    const { rows } = await untilAborted(asked, signal).catch((error: unknown) => this.#failed(error));
    return rows.map(([bucket, count, digested, sum]) => {
      // The engine gives null for a text beyond `max_allowed_packet`.
      if (Number(count) !== Number(digested))
        throw new ConnectorError(
          'CONFIG',
          `A row of "${resource}" is too large for MySQL to digest: raise "max_allowed_packet", or name "columns" without the large one`,
        );
      return {
        bucket: Number(bucket),
        rows: Number(count),
        sum: BigInt.asUintN(64, BigInt(String(sum))),
      };
    });
  }

  async *rows(buckets: ReadonlySet<number>): AsyncGenerator<readonly DigestedRow[]> {
    const { sql, params } = this.#statements.rows(buckets);
    try {
      const stream = await this.#session.client.stream(sql, params, ROWS_AT_ONCE);
      let found: DigestedRow[] = [];
      for await (const values of stream.rows) {
        if (!Array.isArray(values)) continue;
        const [keyHash, rowHash, ...cells] = values as [string, string, ...Cell[]];
        found.push({ keyHash, rowHash, cells });
        if (found.length < ROWS_AT_ONCE) continue;
        yield found;
        found = [];
      }
      if (found.length > 0) yield found;
    } catch (error) {
      this.#failed(error);
    }
  }

  async close(): Promise<void> {
    this.#session.release(true);
  }

  #failed(error: unknown): never {
    throw this.#request.signal.aborted ? cancelled(error) : mysqlFault(error, 'read');
  }
}
