import type { Selectable } from 'kysely';
import { timestamp } from '../../base/clock.ts';
import type { Schema } from '../../store/schema.ts';
import { maskedConfig } from '../definitions/sealed-config.ts';

export type ConnectorRow = Selectable<Schema['connectors']>;

/** The names of its secrets: those that have a value, and those of an imported connector that still have to be set. */
export function secretNamesOf({ secrets_json, open_secret_names_json }: ConnectorRow) {
  const set = Object.keys(JSON.parse(secrets_json) as object);
  return { set, open: JSON.parse(open_secret_names_json) as string[] };
}

/** A saved configuration as the API returns it: never a secret. */
export interface ConnectorRecord {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly description: string | null;
  readonly config: Readonly<Record<string, unknown>>;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly updated_by: string | null;
}

export function toConnector(row: ConnectorRow): ConnectorRecord {
  const { config_json, secrets_json, open_secret_names_json: _, created_at, updated_at, ...rest } = row;
  return {
    ...rest,
    config: maskedConfig({ config_json, secrets_json }),
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at),
  };
}
