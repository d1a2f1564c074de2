import type { ClientBase } from 'pg';
import { type Batch, ConnectorError, type WriteRequest } from '../../driver.ts';
import { quoteList } from '../../sql/identifier.ts';
import { findTable, type PostgresTable, type TableName } from '../introspect.ts';
import { compileRowText, copyKind, type RowText } from './copy-text.ts';
import { addColumns, createMergeStage, createStage, createTable, requireUniqueKey } from './load-table.ts';
import { mergeStage } from './merge-stage.ts';

/** Where the rows of a load go. Never changed: a batch that is taken back takes its place back as well. */
export interface LoadPlace {
  /** The target; null while it does not exist. */
  readonly target: PostgresTable | null;
  /** The table that takes the rows: the target of an append, else a stage. */
  readonly table: PostgresTable;
  /** Columns that the rows have given so far. */
  readonly given: ReadonlySet<string>;
}

/** The statement for batches of one shape. */
export interface Copy {
  readonly shape: string;
  readonly sql: string;
  readonly rowText: RowText;
}

export function shapeOf(batch: Batch): string {
  return JSON.stringify(batch.columns.map((column) => [column.name, column.type]));
}

export function copyInto(table: PostgresTable, batch: Batch): Copy {
  const targets = new Map(table.columns.map((column) => [column.name, column]));
  const columns = batch.columns.filter((column) => targets.get(column.name)?.generated !== true);
  const names = columns.map((column) => column.name);
  const kinds = columns.map((column) => copyKind(column, targets.get(column.name)));
  return {
    shape: shapeOf(batch),
    sql: `COPY ${table.name.sql} (${quoteList(names)}) FROM STDIN`,
    rowText: compileRowText(names, kinds),
  };
}

/** The place for a batch, made or widened as the batch's columns need it. */
export async function preparePlace(
  client: ClientBase,
  request: WriteRequest,
  name: TableName,
  place: LoadPlace | null,
  batch: Batch,
): Promise<LoadPlace> {
  const target = place?.target ?? (await findTable(client, name));
  if (target !== null && !['r', 'p', 'f'].includes(target.kind)) {
    throw new ConnectorError('CONFIG', `"${request.object}" is a view; name a table`);
  }
  switch (request.mode) {
    case 'append':
      return appendPlace(client, name, target, batch);
    case 'replace':
      return replacePlace(client, name, target, place, batch);
    case 'upsert':
    case 'merge':
      return mergePlace(client, request, name, target, place, batch);
    default:
      return request.mode satisfies never;
  }
}

/** The table with the batch's columns, those that it lacked added. */
async function widened(client: ClientBase, table: PostgresTable, batch: Batch): Promise<PostgresTable> {
  const wasWidened = await addColumns(client, table, batch.columns);
  return wasWidened ? again(client, table.name) : table;
}

async function again(client: ClientBase, name: TableName): Promise<PostgresTable> {
  const table = await findTable(client, name);
  if (table === null)
    throw new ConnectorError('TARGET', `The table "${name.name}" was removed during the load`);
  return table;
}

function settable(table: PostgresTable, batch: Batch): string[] {
  const generated = new Set(table.columns.filter((column) => column.generated).map((column) => column.name));
  return batch.columns.map((column) => column.name).filter((column) => !generated.has(column));
}

async function appendPlace(
  client: ClientBase,
  name: TableName,
  target: PostgresTable | null,
  batch: Batch,
): Promise<LoadPlace> {
  if (target === null) await createTable(client, name, batch.columns, []);
  const table = await widened(client, target ?? (await again(client, name)), batch);
  return { target: table, table, given: new Set() };
}

async function replacePlace(
  client: ClientBase,
  name: TableName,
  known: PostgresTable | null,
  place: LoadPlace | null,
  batch: Batch,
): Promise<LoadPlace> {
  const stage = place?.table ?? (await again(client, await createStage(client, known, name, batch.columns)));
  const table = await widened(client, stage, batch);
  return { target: known, table, given: new Set([...(place?.given ?? []), ...settable(table, batch)]) };
}

async function mergePlace(
  client: ClientBase,
  request: WriteRequest,
  name: TableName,
  known: PostgresTable | null,
  place: LoadPlace | null,
  batch: Batch,
): Promise<LoadPlace> {
  if (known === null) await createTable(client, name, batch.columns, request.key);
  const target = await widened(client, known ?? (await again(client, name)), batch);
  const given = new Set(settable(target, batch));
  if (
    place !== null &&
    place.given.size === given.size &&
    [...given].every((column) => place.given.has(column))
  ) {
    return place;
  }
  if (place === null) await requireUniqueKey(client, target, request.key);
  // Rows with other columns change other columns: those of before are merged first.
  else
    await mergeStage(client, {
      target,
      stage: place.table.name,
      columns: [...place.given],
      key: request.key,
    });
  const stage = await createMergeStage(client, target, given);
  return { target, table: await again(client, stage), given };
}
