import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/**
 * A rotated API key stays the same record with a new token, beside the previous one while that is still valid. Keys that were
 * rotated before have successors of their own, and end as they would have ended.
 */
export const addKeyRotation: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `alter table api_keys add column previous_token_hash text`,
    `alter table api_keys add column previous_expires_at bigint`,
    `create index api_keys_previous_token on api_keys (previous_token_hash)`,
    `update api_keys set expires_at = revoked_at
      where revoked_at is not null and (expires_at is null or expires_at > revoked_at)`,
    `alter table api_keys drop column revoked_at`,
  ]);
