import type { ClientBase } from 'pg';
import Cursor from 'pg-cursor';
import type { BucketSum, Digest, DigestColumn, DigestedRow, DigestRequest } from '../../digest/digest.ts';
import { type DigestStatements, type DigestWords, digestStatements } from '../../sql/digest/digest-sql.ts';
import type { SqlFlavor, SqlStatement } from '../../sql/flavor.ts';
import { cancelled, untilAborted } from '../../sql/session-turns.ts';
import { type PostgresTable, requireTable } from '../introspect.ts';
import { postgresFault } from '../postgres-fault.ts';
import type { Session, SessionPool } from '../session-pool.ts';
import { typeParsers } from '../value-type.ts';
import { columnText } from './column-text.ts';
import { ownHash } from './own-hash.ts';

const ROWS_AT_ONCE = 1_000;
/** `trim_scale` and infinite numerics. */
const VERSION_MIN = 140_000;

/** A digest in a snapshot of its own; null where a column has no normal form in this engine. */
export async function openPostgresDigest(
  pool: SessionPool,
  schema: string,
  flavor: SqlFlavor,
  request: DigestRequest,
): Promise<Digest | null> {
  const { signal, resource } = request;
  const session = await pool.open(signal);
  try {
    const { client } = session;
    await client.query(
      'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0; SET LOCAL extra_float_digits = 1',
    );
    const { rows } = await client.query<{ version: number; encoding: string }>(
      `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding`,
    );
    const table = await requireTable(client, resource, schema);
    const known = rows[0]?.encoding === 'UTF8' && (rows[0]?.version ?? 0) >= VERSION_MIN;
    const own = ownHash(table, request);
    const statements = known ? digestStatements(request, tableOf(table), wordsOf(flavor), own) : null;
    if (statements !== null) return new PostgresDigest(session, statements, signal, own !== null);
    session.release(true);
    return null;
  } catch (error) {
    session.release(true);
    throw signal.aborted ? cancelled(error) : postgresFault(error, 'read');
  }
}

class PostgresDigest implements Digest {
  readonly #session: Session;
  readonly #statements: DigestStatements;
  readonly #signal: AbortSignal;
  readonly isOwn: boolean;

  constructor(session: Session, statements: DigestStatements, signal: AbortSignal, isOwn: boolean) {
    this.isOwn = isOwn;
    this.#session = session;
    this.#statements = statements;
    this.#signal = signal;
  }

  async sums(): Promise<readonly BucketSum[]> {
    const { sql, params } = this.#statements.sums;
    const asked = this.#session.client.query<unknown[]>({ text: sql, values: [...params], rowMode: 'array' });
    const { rows } = await untilAborted(asked, this.#signal).catch((error: unknown) => this.#failed(error));
    return rows.map(([bucket, count, , sum]) => ({
      bucket: Number(bucket),
      rows: Number(count),
      sum: BigInt.asUintN(64, BigInt(String(sum))),
    }));
  }

  async *rows(buckets: ReadonlySet<number>): AsyncGenerator<readonly DigestedRow[]> {
    try {
      for await (const found of readArrays(
        this.#session.client,
        this.#statements.rows(buckets),
        this.#signal,
      ))
        yield found.map(([keyHash, rowHash, ...cells]) => ({
          keyHash: String(keyHash),
          rowHash: String(rowHash),
          cells: cells as (string | null)[],
        }));
    } catch (error) {
      this.#failed(error);
    }
  }

  async close(): Promise<void> {
    this.#session.release(true);
  }

  #failed(error: unknown): never {
    throw this.#signal.aborted ? cancelled(error) : postgresFault(error, 'read');
  }
}

async function* readArrays(
  client: ClientBase,
  { sql, params }: SqlStatement,
  signal: AbortSignal,
): AsyncGenerator<unknown[][]> {
  const cursor = client.query(
    new Cursor<unknown[]>(sql, [...params], { rowMode: 'array', types: typeParsers as never }),
  );
  for (;;) {
    const rows = await untilAborted(cursor.read(ROWS_AT_ONCE), signal);
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await cursor.close();
}

function wordsOf(flavor: SqlFlavor): DigestWords {
  return {
    flavor,
    concat: (texts) => (texts.length === 1 ? (texts[0] ?? '') : `(${texts.join(' || ')})`),
    bytesOf: (text) => `octet_length(${text})::text`,
    bucketNumber: (digits) => `('x' || ${digits})::bit(12)::int`,
    sumNumber: (digits) => `('x' || ${digits})::bit(64)::bigint`,
    byBytes: (column) => `${column} COLLATE "C"`,
  };
}

function tableOf(table: PostgresTable) {
  const columns = new Map(table.columns.map((column) => [column.name, column]));
  return {
    from: table.name.sql,
    textOf: (wanted: DigestColumn) => {
      const column = columns.get(wanted.name);
      return column === undefined ? null : columnText(column, wanted);
    },
  };
}
