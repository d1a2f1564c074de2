import type { Migrate } from '../migrate.ts';
import { executeAll } from './execute.ts';

/**
 * Calls of saved connectors in buckets of time, and how the last of them ended; times are 0 for never. Without references to
 * connectors: the completion of a run must not wait for, or fail by, a connector that is being deleted.
 */
export const addConnectorHealth: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `create table connector_calls (
      connector_id bigint not null, bucket_at bigint not null, source text not null, calls bigint not null,
      errors bigint not null, ms bigint not null, primary key (connector_id, bucket_at, source))`,
    `create index connector_calls_old on connector_calls (bucket_at)`,
    `create table connector_health (
      connector_id bigint primary key, first_used_at bigint not null, last_success_at bigint not null,
      unreachable_since bigint not null, recovered_at bigint not null, last_error_at bigint not null,
      error_code text not null, error_message text not null, error_source text not null, error_run_id bigint,
      error_job_id bigint, last_test_at bigint not null, test_ok integer not null, test_message text not null)`,
    `create index connector_health_failing on connector_health (unreachable_since) where unreachable_since > 0`,
  ]);
