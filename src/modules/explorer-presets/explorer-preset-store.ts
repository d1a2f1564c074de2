import type { ExpressionBuilder } from 'kysely';
import type { Paging } from '../../http/paging.ts';
import type { Dialect } from '../../store/dialect.ts';
import { filtered, onPage } from '../../store/lists/keyset.ts';
import { holding } from '../../store/lists/name-search.ts';
import { recordStatements } from '../../store/record-statements.ts';
import type { Schema } from '../../store/schema.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { PresetInfo } from '../../threads/messages/widget-calls.ts';
import {
  type ExplorerPresetInput,
  type ExplorerPresetRow,
  toPresetInfo,
  type Visibility,
} from './explorer-preset.ts';

const presets = recordStatements('explorer_presets');
export const { remove: deletePreset } = presets;

/** The team preset of that name, never a private one. Null where there is none. */
export async function selectPresetByName(
  db: Db,
  connectorId: number,
  name: string,
): Promise<PresetInfo | null> {
  const row = await selectPresetNamed(db, { connectorId, name, ownerId: null });
  return row === null ? null : toPresetInfo(row);
}

/** The preset of that name among the team's (`ownerId` null), or among the private ones of one user. */
export async function selectPresetNamed(
  db: Db,
  key: { readonly connectorId: number; readonly name: string; readonly ownerId: number | null },
): Promise<ExplorerPresetRow | null> {
  const query = db
    .selectFrom('explorer_presets')
    .selectAll()
    .where('connector_id', '=', key.connectorId)
    .where('name', '=', key.name);
  const among =
    key.ownerId === null
      ? query.where('visibility', '=', 'team')
      : query.where('visibility', '=', 'private').where('owner_id', '=', key.ownerId);
  return (await among.executeTakeFirst()) ?? null;
}

/** The preset, if `viewerId` may see it. */
export async function selectPreset(db: Db, id: number, viewerId: number): Promise<ExplorerPresetRow | null> {
  const query = db
    .selectFrom('explorer_presets')
    .selectAll()
    .where('id', '=', id)
    .where((eb) => seenBy(eb, viewerId));
  return (await query.executeTakeFirst()) ?? null;
}

/** As `selectPreset`, and locked until the transaction ends. */
export async function lockPreset(
  tx: Tx,
  dialect: Dialect,
  id: number,
  viewerId: number,
): Promise<ExplorerPresetRow | null> {
  const query = tx
    .selectFrom('explorer_presets')
    .selectAll()
    .where('id', '=', id)
    .where((eb) => seenBy(eb, viewerId));
  return (await query.modifyEnd(dialect.forUpdate).executeTakeFirst()) ?? null;
}

export interface PresetFilters {
  readonly connector_id?: number | undefined;
  readonly visibility?: Visibility | undefined;
  readonly q?: string | undefined;
}

/** The team's and the viewer's own, in the order of `paging`; one row more than the page. `q` is a part of the name, in any case. */
export async function selectPresets(
  db: Db,
  viewerId: number,
  { connector_id, visibility, q }: PresetFilters,
  paging: Paging,
): Promise<ExplorerPresetRow[]> {
  const query = db
    .selectFrom('explorer_presets')
    .selectAll()
    .where((eb) => seenBy(eb, viewerId));
  const holds = q === undefined ? null : await holding(db, 'explorer_presets', q);
  return onPage(filtered(query, { connector_id, visibility }, holds), paging).execute();
}

/** The number of private presets of a user. */
export async function countPrivatePresets(db: Db, ownerId: number): Promise<number> {
  const row = await db
    .selectFrom('explorer_presets')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('visibility', '=', 'private')
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export interface PresetWrite {
  readonly input: ExplorerPresetInput;
  /** Null for a team preset: it outlives its creator. */
  readonly ownerId: number | null;
  readonly by: string;
  readonly now: number;
}

export function insertPreset(tx: Tx, write: PresetWrite): Promise<ExplorerPresetRow> {
  return presets.insert(tx, { ...columnsOf(write), version: 1, created_at: write.now });
}

export function updatePreset(
  tx: Tx,
  before: ExplorerPresetRow,
  write: PresetWrite,
): Promise<ExplorerPresetRow> {
  return presets.update(tx, before.id, { ...columnsOf(write), version: before.version + 1 });
}

function seenBy(eb: ExpressionBuilder<Schema, 'explorer_presets'>, viewerId: number) {
  return eb.or([eb('visibility', '=', 'team'), eb('owner_id', '=', viewerId)]);
}

function columnsOf({ input, ownerId, by, now }: PresetWrite) {
  return {
    name: input.name,
    description: input.description,
    connector_id: input.connector_id,
    resource: input.resource,
    columns_json: JSON.stringify(input.columns),
    filter_json: JSON.stringify(input.filter),
    sort_json: JSON.stringify(input.sort),
    visibility: input.visibility,
    owner_id: ownerId,
    updated_at: now,
    updated_by: by,
  };
}
