import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import pg from 'pg';
import { to } from 'pg-copy-streams';
import { sqliteDialect } from '../dialect.ts';
import { migrate } from '../migrate.ts';
import { logMigrations, stateMigrations } from '../migrations/migrations.ts';
import { nodeSqliteDialect } from '../sqlite/node-sqlite.ts';
import { type BackupManifest, type BackupWriter, PART_BYTES_MAX } from './backup-file.ts';
import type { OnBytes } from './sqlite-backup.ts';

/** What a backend of metrics makes in the state's database. */
export const METRICS_PREFIX = 'headgate_metric_';
const METRICS_VERSION = 'headgate_metric_version';
const PARTITION = /^run_logs_d(\d+)$/;

export type PostgresContents = Pick<BackupManifest, 'tables' | 'sequences' | 'log_days'>;

/**
 * Adds every table as it is at one moment, while servers write to them: all are read in one transaction, in PostgreSQL's own text form
 * of COPY. `bytes` gives roughly how much there is before the first is added.
 */
export async function backupPostgres(
  url: string,
  writer: Pick<BackupWriter, 'add'>,
  onBytes: OnBytes,
  onTotal: (bytes: number) => void,
): Promise<PostgresContents> {
  const client = new pg.Client({ connectionString: url });
  // Its statements fail, and say it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('set statement_timeout = 0; begin isolation level repeatable read read only');
    const names = await tableNames();
    const tables = await columnsOf(client, names);
    onTotal(await sizeOf(client, Object.keys(tables)));
    const sequences = await sequencesOf(client, Object.keys(tables));
    const log_days = await logDaysOf(client);
    for (const [table, columns] of Object.entries(tables)) {
      const picked = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
      const rows = table === 'secrets' ? `where name not like 'server:%'` : '';
      const query = `copy (select ${picked} from ${pg.escapeIdentifier(table)} ${rows}) to stdout`;
      for await (const piece of inPieces(client.query(to(query)))) {
        writer.add(table, piece);
        onBytes(piece.byteLength);
      }
    }
    return { tables, sequences, log_days };
  } finally {
    await client.end();
  }
}

/** Those of this version's schema: others of the same database are not Headgate's. */
export async function tableNames(): Promise<Set<string>> {
  const file = new DatabaseSync(':memory:', { defensive: false });
  const db = new Kysely<unknown>({ dialect: nodeSqliteDialect(file) });
  await migrate(db, sqliteDialect, { ...stateMigrations, ...logMigrations });
  const rows = file.prepare("select name from sqlite_schema where type = 'table'").all();
  const names = rows.map((row) => String(row['name']));
  await db.destroy();
  return new Set(
    names.filter((name) => !name.startsWith('sqlite_') && !name.startsWith('headgate_migrations')),
  );
}

async function columnsOf(client: pg.Client, names: ReadonlySet<string>): Promise<Record<string, string[]>> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(`
    select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    group by c.relname order by c.relname`);
  const isOwn = (table: string) =>
    names.has(table) || (table.startsWith(METRICS_PREFIX) && table !== METRICS_VERSION);
  return Object.fromEntries(
    rows.filter(({ table }) => isOwn(table)).map(({ table, columns }) => [table, columns]),
  );
}

async function sizeOf(client: pg.Client, tables: readonly string[]): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    `select coalesce(sum(pg_table_size(c.oid)), 0) as bytes from pg_class c
     where c.relnamespace = current_schema()::regnamespace and (c.relname = any($1) or c.relname ~ '^run_logs_d[0-9]+$')`,
    [tables],
  );
  return Number(rows[0]?.bytes ?? 0);
}

async function sequencesOf(client: pg.Client, tables: readonly string[]): Promise<Record<string, number>> {
  const sequences: Record<string, number> = {};
  for (const table of tables) {
    const { rows } = await client.query<{ name: string | null }>(
      `select pg_get_serial_sequence(quote_ident($1), attname) as name from pg_attribute
       where attrelid = quote_ident($1)::regclass and attidentity <> ''`,
      [table],
    );
    const name = rows[0]?.name ?? null;
    if (name === null) continue;
    const { rows: values } = await client.query<{ last_value: string; is_called: boolean }>(
      `select last_value, is_called from ${name}`,
    );
    if (values[0]?.is_called) sequences[table] = Number(values[0].last_value);
  }
  return sequences;
}

async function logDaysOf(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'run_logs'::regclass`,
  );
  return rows.flatMap(({ name }) => PARTITION.exec(name)?.[1] ?? []).map(Number);
}

/** Ends between rows or not: a restore writes the pieces one after another. */
async function* inPieces(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    for (let at = 0; at < chunk.byteLength; at += PART_BYTES_MAX) {
      const piece = chunk.subarray(at, at + PART_BYTES_MAX);
      if (bytes + piece.byteLength > PART_BYTES_MAX) {
        yield Buffer.concat(held);
        held = [];
        bytes = 0;
      }
      held.push(piece);
      bytes += piece.byteLength;
    }
  }
  if (bytes > 0) yield Buffer.concat(held);
}
