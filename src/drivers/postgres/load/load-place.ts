import type { ClientBase } from 'pg';
import { EMPTYING_MODES } from '../../../language/task/steps/load-step.ts';
import { AbsentResourceError, type Batch, ConnectorError, type WriteRequest } from '../../driver.ts';
import { quoteList } from '../../sql/identifier.ts';
import { deleteMatching } from '../../sql/load/delete-matching.ts';
import { deleteMissing } from '../../sql/load/delete-missing.ts';
import { keepVersions } from '../../sql/load/keep-versions.ts';
import { requireVersioned, uniqueKey } from '../../sql/load/load-key.ts';
import type { LineWriter } from '../../sql/load/row-lines.ts';
import type { WiderColumn } from '../../types/type-bounds.ts';
import { findTable, type PostgresTable, type TableName } from '../introspect.ts';
import { compileCopyLines, copyKind } from './copy-text.ts';
import {
  addColumns,
  createMergeStage,
  createStage,
  createTable,
  orderColumn,
  partStagePrefix,
  requireUniqueKey,
  widenColumns,
} from './load-table.ts';
import { mergeStage } from './merge-stage.ts';
import { pgSession } from './pg-session.ts';

/** Where the rows of a load go. Never changed: a batch that is taken back takes its place back as well. */
export interface LoadPlace {
  /** The target; null while it does not exist. */
  readonly target: PostgresTable | null;
  /** The table that takes the rows: the target of an append, else a stage. */
  readonly table: PostgresTable;
  /** Columns that the rows have given so far. */
  readonly given: ReadonlySet<string>;
  /** Rows of stages before this one that were there already and were left alone. */
  readonly left: number;
  /** The keys that came, where others may be missing, but for those in the stage; null while there are none. */
  readonly seen: string | null;
}

/** The statement for batches of one shape. */
export interface Copy {
  readonly shape: string;
  readonly sql: string;
  readonly lines: LineWriter;
}

export function shapeOf(batch: Batch): string {
  return JSON.stringify(batch.columns.map((column) => [column.name, column.type]));
}

/** The copy of a batch; of its `columns` alone, where there are any. */
export function copyInto(table: PostgresTable, batch: Batch, only: readonly string[] = []): Copy {
  const targets = new Map(table.columns.map((column) => [column.name, column]));
  const columns = batch.columns.filter(
    ({ name }) => targets.get(name)?.generated !== true && (only.length === 0 || only.includes(name)),
  );
  const names = columns.map((column) => column.name);
  const kinds = columns.map((column) => copyKind(column, targets.get(column.name)));
  return {
    shape: shapeOf(batch),
    sql: `COPY ${table.name.sql} (${quoteList(names)}) FROM STDIN`,
    lines: compileCopyLines(names, kinds),
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
    case 'truncate_insert':
      return replacePlace(client, name, target, place, batch);
    case 'upsert':
    case 'merge':
    case 'insert_only':
      return mergePlace(client, request, name, target, place, batch);
    case 'scd2':
      return versionPlace(client, request, name, target, place, batch);
    case 'delete':
      return place ?? deletePlace(client, request, target);
    default:
      return request.mode satisfies never;
  }
}

/** The table with the batch's columns, those that it lacked added. */
async function widened(client: ClientBase, table: PostgresTable, batch: Batch): Promise<PostgresTable> {
  const wasWidened = await addColumns(client, table, batch.columns);
  return wasWidened ? again(client, table.name) : table;
}

/** The place with wider columns: of the target, and of a stage; of a stage alone that takes the target's place at the end. */
export async function widenPlace(
  client: ClientBase,
  { mode }: WriteRequest,
  place: LoadPlace,
  columns: readonly WiderColumn[],
): Promise<LoadPlace> {
  const { target, table } = place;
  const grown = await widenColumns(client, table, columns);
  if (EMPTYING_MODES.includes(mode) || target === null) return { ...place, table: grown };
  if (target.oid === table.oid) return { ...place, target: grown, table: grown };
  return { ...place, target: await widenColumns(client, target, columns), table: grown };
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
  if (target === null) {
    // An attempt that lives on beside its retry must not make it anew.
    if (name.name.startsWith(partStagePrefix))
      throw new ConnectorError('TARGET', 'The stage of the parts was removed: another attempt has ended');
    await createTable(client, name, batch.columns, []);
  }
  const table = await widened(client, target ?? (await again(client, name)), batch);
  return { target: table, table, given: new Set(), left: 0, seen: null };
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
  const given = new Set([...(place?.given ?? []), ...settable(table, batch)]);
  return { target: known, table, given, left: 0, seen: null };
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
  const { left, seen } =
    place === null ? { left: 0, seen: null } : await applyStage(client, request, { ...place, target });
  const stage = await createMergeStage(client, target, given);
  return { target, table: await again(client, stage), given, left, seen };
}

/** All rows wait in one stage: which versions they make depends on all of them. */
async function versionPlace(
  client: ClientBase,
  request: WriteRequest,
  name: TableName,
  known: PostgresTable | null,
  place: LoadPlace | null,
  batch: Batch,
): Promise<LoadPlace> {
  const key = uniqueKey(request);
  if (known === null) await createTable(client, name, batch.columns, key);
  else requireVersioned(request, (column) => known.columns.some((one) => one.name === column));
  const target = await widened(client, known ?? (await again(client, name)), batch);
  const given = new Set([...(place?.given ?? []), ...settable(target, batch)]);
  if (place !== null) return { ...place, target, table: await widened(client, place.table, batch), given };
  await requireUniqueKey(client, target, key);
  const stage = await createMergeStage(client, target, given);
  return { target, table: await again(client, stage), given, left: 0, seen: null };
}

/** Keys alone: what else the rows have does not matter. */
async function deletePlace(
  client: ClientBase,
  { object, key }: WriteRequest,
  target: PostgresTable | null,
): Promise<LoadPlace> {
  const known = requireTarget(object, target, key);
  const given = new Set(key);
  const stage = await createMergeStage(client, known, given);
  return { target: known, table: await again(client, stage), given, left: 0, seen: null };
}

function requireTarget(object: string, target: PostgresTable | null, key: readonly string[]): PostgresTable {
  if (target === null) throw new AbsentResourceError(`There is no table "${object}" to delete rows from`);
  const missing = key.find((name) => !target.columns.some((column) => column.name === name));
  if (missing === undefined) return target;
  throw new ConnectorError('CONFIG', `The table "${object}" has no key column "${missing}"`);
}

/** Gives the rows of the stage to the target; gives how many changed nothing by now, and the keys that came. */
export async function applyStage(
  client: ClientBase,
  request: WriteRequest,
  { target, table, given, left, seen }: LoadPlace,
  isComplete = false,
): Promise<Pick<LoadPlace, 'left' | 'seen'>> {
  if (target === null) return { left, seen };
  const { mode, key, object, versions, missing = null } = request;
  const stage = table.name;
  const session = pgSession(client);
  if (mode === 'delete') {
    const unfound = await deleteMatching(session, { target: target.name.sql, stage: stage.sql, key });
    return { left: left + unfound, seen };
  }
  if (versions) {
    const unchanged = await keepVersions(session, {
      target: target.name.sql,
      stage: stage.sql,
      order: orderColumn,
      columns: [...given],
      key,
      versions,
      object,
      presentAt: isComplete && missing !== null ? missing.at : null,
    });
    return { left: left + unchanged, seen: stage.sql };
  }
  const keys = `SELECT ${quoteList(key)} FROM ${stage.sql}`;
  if (missing !== null && seen !== null) await session.change(`INSERT INTO ${seen} ${keys}`);
  const all = missing === null ? null : (seen ?? (await session.keep(keys)));
  const merge = { target, stage, columns: [...given], key, changesRows: mode !== 'insert_only' };
  return { left: left + (await mergeStage(client, merge)), seen: all };
}

/** The place with its stage's rows in the target, and the stage empty. */
export async function settleStage(
  client: ClientBase,
  request: WriteRequest,
  place: LoadPlace,
): Promise<LoadPlace> {
  const applied = await applyStage(client, request, place);
  await client.query(`TRUNCATE ${place.table.name.sql}`);
  return { ...place, ...applied };
}

/** Takes away the rows of the target whose key did not come; gives how many. */
export async function takeMissing(
  client: ClientBase,
  { key, object, versions = null, missing }: WriteRequest,
  name: TableName,
  seen: string | null,
): Promise<number> {
  if (!missing || (await findTable(client, name)) === null) return 0;
  return deleteMissing(pgSession(client), { target: name.sql, seen, key, missing, versions, object });
}
