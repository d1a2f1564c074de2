import type { ClientBase } from 'pg';
import { EMPTYING_MODES, KEYED_MODES } from '../../../language/task/steps/load/load-step.ts';
import { AbsentResourceError, type Batch, ConnectorError, type WriteRequest } from '../../driver.ts';
import { requireVersioned, uniqueKey } from '../../sql/load/load-key.ts';
import type { WiderColumn } from '../../types/type-bounds.ts';
import { findTable, type PostgresTable, type TableName } from '../introspect.ts';
import { requireColumnNames } from '../names.ts';
import { requireUntouchedOthers } from './empty-table.ts';
import {
  addColumns,
  createMergeStage,
  createStage,
  createTable,
  hasUniqueKey,
  lacksColumns,
  makeUniqueKey,
  relaxStage,
  widenColumns,
} from './load-table.ts';
import { applyStage, type StagedRows } from './stage/apply-stage.ts';
import { partStagePrefix } from './stage/stage-columns.ts';
import { changedByOther, evolveWaitMs, lockDefinition, lockedDefinition } from './table-lock.ts';

/** Where the rows of a load go. Never changed: a batch that is taken back takes its place back as well. */
export interface LoadPlace extends StagedRows {
  /** The load has the right to change what the target is. */
  readonly owns: boolean;
}

/** The place for a batch, made or widened as the batch's columns need it. */
export async function preparePlace(
  client: ClientBase,
  request: WriteRequest,
  name: TableName,
  place: LoadPlace | null,
  batch: Batch,
): Promise<LoadPlace> {
  requireColumnNames(batch.columns.map((column) => column.name));
  switch (request.mode) {
    case 'append': {
      const { target, owns } = await definedTarget(client, request, name, place, batch);
      return { ...EMPTY, target, table: target, owns };
    }
    case 'replace':
    case 'truncate_insert':
      return replacePlace(client, request, name, place, batch);
    case 'upsert':
    case 'merge':
    case 'insert_only':
      return mergePlace(client, request, name, place, batch);
    case 'scd2':
      return versionPlace(client, request, name, place, batch);
    case 'delete':
      return place ?? deletePlace(client, request, await findTarget(client, request, name));
    default:
      return request.mode satisfies never;
  }
}

const EMPTY: Pick<LoadPlace, 'given' | 'left' | 'dropped' | 'seen'> = {
  given: new Set(),
  left: 0,
  dropped: 0,
  seen: null,
};

async function findTarget(
  client: ClientBase,
  { object }: WriteRequest,
  name: TableName,
): Promise<PostgresTable | null> {
  const target = await findTable(client, name);
  if (target !== null && !['r', 'p', 'f'].includes(target.kind))
    throw new ConnectorError('CONFIG', `"${object}" is a view; name a table`);
  return target;
}

interface Defined {
  readonly target: PostgresTable;
  readonly owns: boolean;
}

/**
 * The target with what the batch needs. What it lacks is made under the right to do so, after another look. A load whose later batches
 * may need more takes the right before it has any lock on the table, if it can be had: two that want it with rows in the table would
 * wait for each other.
 */
async function definedTarget(
  client: ClientBase,
  request: WriteRequest,
  name: TableName,
  place: LoadPlace | null,
  batch: Batch,
): Promise<Defined> {
  const key = KEYED_MODES.includes(request.mode) ? uniqueKey(request) : [];
  const isStage = name.name.startsWith(partStagePrefix);
  let owns = place?.owns ?? false;
  if (place === null && request.columnsAreFixed !== true)
    owns = await lockedDefinition(client, name, isStage ? 0 : evolveWaitMs);
  let known = place?.target ?? (await findTarget(client, request, name));
  const isWhole =
    known !== null &&
    !lacksColumns(known, batch.columns) &&
    (place !== null || key.length === 0 || (await hasUniqueKey(client, known, key)));
  if (isWhole && known !== null) {
    if (place === null) requireVersions(request, known);
    return { target: known, owns };
  }
  if (!owns) {
    if (place === null) await lockDefinition(client, name);
    else if (!(await lockedDefinition(client, name, 0))) throw changedByOther(name);
    owns = true;
    known = await findTarget(client, request, name);
  }
  // An attempt that lives on beside its retry must not make it anew.
  if (known === null && isStage)
    throw new ConnectorError('TARGET', 'The stage of the parts was removed: another attempt has ended');
  if (known === null) await createTable(client, name, batch.columns, key);
  else if (place === null) requireVersions(request, known);
  const target = await withColumns(client, known ?? (await again(client, name)), batch);
  if (key.length > 0 && !(await hasUniqueKey(client, target, key))) await makeUniqueKey(client, target, key);
  return { target, owns };
}

function requireVersions(request: WriteRequest, { columns }: PostgresTable): void {
  requireVersioned(request, (name) => columns.some((column) => column.name === name));
}

/** The table with the batch's columns, those that it lacked added. */
async function withColumns(client: ClientBase, table: PostgresTable, batch: Batch): Promise<PostgresTable> {
  const wasWidened = await addColumns(client, table, batch.columns);
  return wasWidened ? again(client, table.name) : table;
}

/** The place with wider columns: of the target, and of a stage; of a stage alone that takes the target's place at the end. */
export async function widenPlace(
  client: ClientBase,
  { mode }: Pick<WriteRequest, 'mode'>,
  place: LoadPlace,
  columns: readonly WiderColumn[],
): Promise<LoadPlace> {
  const { target, table } = place;
  if (columns.length === 0) return place;
  if (EMPTYING_MODES.includes(mode) || target === null)
    return { ...place, table: await widenColumns(client, table, columns) };
  const owns = place.owns || (await lockedDefinition(client, target.name, 0));
  if (!owns) throw changedByOther(target.name);
  const grown = await widenColumns(client, table, columns);
  if (target.oid === table.oid) return { ...place, target: grown, table: grown, owns };
  return { ...place, target: await widenColumns(client, target, columns), table: grown, owns };
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

async function replacePlace(
  client: ClientBase,
  request: WriteRequest,
  name: TableName,
  place: LoadPlace | null,
  batch: Batch,
): Promise<LoadPlace> {
  // The stage is made like the target, which locks it until the end: two replacements at once would wait for each other there.
  if (place === null) await lockDefinition(client, name);
  const target = place === null ? await findTarget(client, request, name) : place.target;
  if (place === null && target !== null) await requireUntouchedOthers(client, target);
  const stage = place?.table ?? (await again(client, await createStage(client, target, name, batch.columns)));
  const table = await withColumns(client, stage, batch);
  const given = new Set([...(place?.given ?? []), ...settable(table, batch)]);
  return { ...EMPTY, target, table, given, owns: true };
}

async function mergePlace(
  client: ClientBase,
  request: WriteRequest,
  name: TableName,
  place: LoadPlace | null,
  batch: Batch,
): Promise<LoadPlace> {
  const { target, owns } = await definedTarget(client, request, name, place, batch);
  const given = new Set(settable(target, batch));
  if (
    place !== null &&
    place.given.size === given.size &&
    [...given].every((column) => place.given.has(column))
  ) {
    return place;
  }
  // Rows with other columns change other columns: those of before are merged first.
  const applied = place === null ? EMPTY : await applyStage(client, request, { ...place, target });
  const stage = await createMergeStage(client, target, given);
  return { ...EMPTY, ...applied, target, table: await again(client, stage), given, owns };
}

/** The stage with room for rows that lack columns which others of the batch have. */
export async function placeForShapes(
  client: ClientBase,
  place: LoadPlace,
  shapes: readonly Batch[],
): Promise<LoadPlace> {
  if (place.target === null || place.target.oid === place.table.oid) return place;
  const isRelaxed = await relaxStage(client, place.table, shapes);
  return isRelaxed ? { ...place, table: await again(client, place.table.name) } : place;
}

/** All rows wait in one stage: which versions they make depends on all of them. */
async function versionPlace(
  client: ClientBase,
  request: WriteRequest,
  name: TableName,
  place: LoadPlace | null,
  batch: Batch,
): Promise<LoadPlace> {
  const { target, owns } = await definedTarget(client, request, name, place, batch);
  const given = new Set([...(place?.given ?? []), ...settable(target, batch)]);
  if (place !== null)
    return { ...place, target, table: await withColumns(client, place.table, batch), given, owns };
  const stage = await createMergeStage(client, target, given);
  return { ...EMPTY, target, table: await again(client, stage), given, owns };
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
  return { ...EMPTY, target: known, table: await again(client, stage), given, owns: false };
}

function requireTarget(object: string, target: PostgresTable | null, key: readonly string[]): PostgresTable {
  if (target === null) throw new AbsentResourceError(`There is no table "${object}" to delete rows from`);
  const missing = key.find((name) => !target.columns.some((column) => column.name === name));
  if (missing === undefined) return target;
  throw new ConnectorError('CONFIG', `The table "${object}" has no key column "${missing}"`);
}
