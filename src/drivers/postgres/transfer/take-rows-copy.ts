import type { ClientBase } from 'pg';
import type { WriteRequest } from '../../driver.ts';
import type { RowsCopy } from '../../engine-file.ts';
import { quoteList } from '../../sql/identifier.ts';
import { requireKeys } from '../../sql/row-batch.ts';
import { findTable, type TableName } from '../introspect.ts';
import { settleStage } from '../load/apply-stage.ts';
import { type LoadPlace, preparePlace } from '../load/load-place.ts';
import { CopyIn } from './copy-in.ts';
import { PostgresRowsCopy, type SentRows } from './postgres-rows-copy.ts';
import { formatInto } from './same-types.ts';

interface CopyingLoad {
  readonly request: WriteRequest;
  readonly name: TableName;
  /** The rows must go on from the stage to the target at once. */
  readonly settles: boolean;
}

const MODES: ReadonlySet<WriteRequest['mode']> = new Set([
  'append',
  'replace',
  'truncate_insert',
  'upsert',
  'merge',
  'insert_only',
]);

/**
 * Puts the rows of a copy where those of the load go, in its transaction. null where they must come as batches: the mode looks at rows,
 * the types do not prove that every value arrives as it is, or a row has no key; what was done by then is the caller's to take back.
 */
export async function takeRowsCopy(
  client: ClientBase,
  { request, name, settles }: CopyingLoad,
  copy: RowsCopy,
  onRows: (rows: number) => void,
): Promise<({ readonly place: LoadPlace } & SentRows) | null> {
  if (!(copy instanceof PostgresRowsCopy) || !MODES.has(request.mode)) return null;
  const batch = { columns: copy.columns, rows: [] };
  requireKeys(batch, request.key);
  const target = await findTable(client, name);
  const known = target?.columns.map((column) => column.name);
  // New columns of a table that the source may be reading would wait for it.
  if (known !== undefined && copy.columns.some((column) => !known.includes(column.name))) return null;
  const place = await preparePlace(client, request, name, null, batch);
  const copied = await copyAcross(client, place.table.name, copy, onRows);
  if (copied === null || (await lacksKeys(client, place.table.name, request.key))) return null;
  return { ...copied, place: settles ? await settleStage(client, request, place) : place };
}

async function copyAcross(
  client: ClientBase,
  table: TableName,
  copy: PostgresRowsCopy,
  onRows: (rows: number) => void,
): Promise<SentRows | null> {
  const format = await formatInto(client, table, copy);
  if (format === null) return null;
  const names = quoteList(copy.fields.map(({ name }) => name));
  const into = client.query(new CopyIn(`COPY ${table.sql} (${names}) FROM STDIN (FORMAT ${format})`));
  await into.accepted;
  return copy.sendTo(into, format, onRows);
}

async function lacksKeys(client: ClientBase, stage: TableName, key: readonly string[]): Promise<boolean> {
  if (key.length === 0) return false;
  const empty = key.map((name) => `${quoteList([name])} IS NULL`).join(' OR ');
  const { rows } = await client.query(`SELECT 1 FROM ${stage.sql} WHERE ${empty} LIMIT 1`);
  return rows.length > 0;
}
