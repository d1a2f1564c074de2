import { type RawBuilder, sql } from 'kysely';
import { IS_ACTIVE, isActive } from './run.ts';

const ENDED = sql<boolean>`status in ('success', 'warning', 'error', 'cancelled', 'skipped')`;

/**
 * Runs, or job runs, of one status. The indexes over it are partial: engines use them where a query has their condition word for
 * word.
 */
export function hasStatus(status: string): RawBuilder<boolean> {
  return sql<boolean>`${isActive(status) ? IS_ACTIVE : ENDED} and status = ${status}`;
}
