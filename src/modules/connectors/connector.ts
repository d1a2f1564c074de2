import type { Selectable } from 'kysely';
import { timestamp } from '../../base/clock.ts';
import type { Schema } from '../../store/schema.ts';

export type ConnectorRow = Selectable<Schema['connectors']>;

/** What a secret reads as. Written back, it stands for the value that is stored. */
export const SECRET_MASK = '********';

/** A saved configuration as the API gives it: never a secret. */
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
  const config = JSON.parse(config_json) as Record<string, unknown>;
  const masks = Object.keys(JSON.parse(secrets_json) as object).map((key) => [key, SECRET_MASK] as const);
  return {
    ...rest,
    config: { ...config, ...Object.fromEntries(masks) },
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at),
  };
}
