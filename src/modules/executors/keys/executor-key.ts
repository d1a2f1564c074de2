import type { Selectable } from 'kysely';
import { z } from 'zod';
import { timestamp, timestampOrNull } from '../../../base/clock.ts';
import type { Schema } from '../../../store/schema.ts';

/** The setting of this server that holds a key. */
export const KEY_SETTINGS = ['current', 'previous'] as const;
export type KeySetting = (typeof KEY_SETTINGS)[number];

/** The environment variables, by setting. */
export const KEY_SETTING_NAMES: Readonly<Record<KeySetting, string>> = {
  current: 'executor.key (SVC_EXECUTOR_KEY)',
  previous: 'executor.previous_key (SVC_EXECUTOR_PREVIOUS_KEY)',
};

export type ExecutorKeyRow = Selectable<Schema['executor_keys']>;

export const executorKeyRecord = z
  .object({
    fingerprint: z.string().describe('The first 16 hex digits of the SHA-256 of the key'),
    setting: z
      .enum(KEY_SETTINGS)
      .nullable()
      .describe('The setting of the responding server that contains it; null if none'),
    first_seen_at: z.string(),
    last_seen_at: z.string().describe('When an executor last used it, to the minute'),
    revoked_at: z.string().nullable(),
    revoked_by: z.string().nullable(),
  })
  .meta({ id: 'ExecutorKey' });
export type ExecutorKeyRecord = z.infer<typeof executorKeyRecord>;

export function toExecutorKey(row: ExecutorKeyRow, setting: KeySetting | null): ExecutorKeyRecord {
  return {
    fingerprint: row.fingerprint,
    setting,
    first_seen_at: timestamp(row.first_seen_at),
    last_seen_at: timestamp(row.last_seen_at),
    revoked_at: timestampOrNull(row.revoked_at),
    revoked_by: row.revoked_by,
  };
}
