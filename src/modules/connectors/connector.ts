import type { Selectable } from 'kysely';
import { timestamp } from '../../base/clock.ts';
import type { Schema } from '../../store/schema.ts';
import { maskedConfig } from '../definitions/sealed-config.ts';

export type ConnectorRow = Selectable<Schema['connectors']>;

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
  const { config_json, secrets_json, created_at, updated_at, ...rest } = row;
  return {
    ...rest,
    config: maskedConfig({ config_json, secrets_json }),
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at),
  };
}
