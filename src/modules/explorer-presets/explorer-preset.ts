import type { Selectable } from 'kysely';
import { timestamp } from '../../base/clock.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import type { Schema } from '../../store/schema.ts';
import type { PresetInfo } from '../../threads/messages/widget-calls.ts';

export type ExplorerPresetRow = Selectable<Schema['explorer_presets']>;

/** `team`: everybody sees it, and dashboards may name it. `private`: only its owner sees it. */
export const VISIBILITIES = ['team', 'private'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export interface ExplorerPresetInput {
  readonly name: string;
  readonly description: string | null;
  readonly connector_id: number;
  readonly resource: string;
  /** In this order; empty for all. */
  readonly columns: readonly string[];
  /** Equality or operators per column, as `explore` takes them. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** `name` ascending, `-name` descending. */
  readonly sort: readonly string[];
  readonly visibility: Visibility;
}

/** The part of a preset that a dashboard's explorer needs. */
export function toPresetInfo(row: ExplorerPresetRow): PresetInfo {
  return {
    name: row.name,
    connector_id: row.connector_id,
    resource: row.resource,
    columns: JSON.parse(row.columns_json) as string[],
    filter: parseJsonText(row.filter_json) as Record<string, unknown>,
    sort: JSON.parse(row.sort_json) as string[],
  };
}

/** A preset as the API returns it. */
export function toExplorerPreset(row: ExplorerPresetRow) {
  const { name, connector_id, resource, columns, filter, sort } = toPresetInfo(row);
  return {
    id: row.id,
    name,
    description: row.description,
    connector_id,
    resource,
    columns: [...columns],
    filter: { ...filter },
    sort: [...sort],
    visibility: row.visibility as Visibility,
    owner_id: row.owner_id,
    version: row.version,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
    updated_by: row.updated_by,
  };
}
