import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Paging } from '../../http/paging.ts';
import { onPage } from '../../store/lists/keyset.ts';
import { holding } from '../../store/lists/name-search.ts';
import type { Schema } from '../../store/schema.ts';
import type { Db, Tx } from '../../store/store.ts';
import {
  bucketOf,
  type CallBucket,
  DEGRADED_ONE_OF,
  type HealthStatus,
  hourFrom,
} from './connector-health.ts';

export type ConnectorHealthRow = Selectable<Schema['connector_health']>;

/** Of these connectors, those that have been used. */
export async function selectHealth(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ConnectorHealthRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('connector_health').selectAll().where('connector_id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.connector_id, row]));
}

export type ConnectorCallsRow = CallBucket & { readonly connector_id: number };

/** From this bucket on, in the order of their time. */
export async function selectCalls(
  db: Db,
  ids: readonly number[],
  from: number,
): Promise<ConnectorCallsRow[]> {
  if (ids.length === 0) return [];
  const query = db.selectFrom('connector_calls').selectAll().where('connector_id', 'in', ids);
  return query.where('bucket_at', '>=', from).orderBy('bucket_at').execute();
}

export type ListedConnector = Pick<
  Selectable<Schema['connectors']>,
  'id' | 'name' | 'type' | 'created_at' | 'updated_at'
>;

interface HealthFilters {
  readonly status?: HealthStatus | undefined;
  readonly type?: string | undefined;
  readonly q?: string | undefined;
}

/** Connectors that match the filters, used or not, one more than the page. */
export async function selectConnectorsByHealth(
  db: Db,
  { status, type, q, now }: HealthFilters & { readonly now: number },
  paging: Paging,
): Promise<ListedConnector[]> {
  const columns = ['id', 'name', 'type', 'created_at', 'updated_at'] as const;
  const holds = q === undefined ? null : await holding(db, 'connectors', q);
  const query = db
    .selectFrom('connectors')
    .select(columns)
    .$if(status !== undefined, (rows) => rows.where(hasStatus(status as HealthStatus, now)))
    .$if(type !== undefined, (rows) => rows.where('type', '=', type as string))
    .$if(holds !== null, (rows) => rows.where(holds as RawBuilder<boolean>));
  return onPage(query, paging).execute();
}

/** What `statusOf` says, in SQL: whether the row of `connectors` has this status. */
export function hasStatus(status: HealthStatus, now: number): RawBuilder<boolean> {
  const known = sql`exists (select 1 from connector_health where connector_id = connectors.id)`;
  const failing = sql`connectors.id in (select connector_id from connector_health where unreachable_since > 0)`;
  const degraded = sql`coalesce((select sum(errors) * ${sql.lit(DEGRADED_ONE_OF)} > sum(calls) from connector_calls
    where connector_id = connectors.id and bucket_at between ${hourFrom(now)} and ${bucketOf(now)}), false)`;
  switch (status) {
    case 'unknown':
      return sql<boolean>`not ${known}`;
    case 'failing':
      return sql<boolean>`${failing}`;
    case 'degraded':
      return sql<boolean>`(${known} and not ${failing} and ${degraded})`;
    case 'ok':
      return sql<boolean>`(${known} and not ${failing} and not ${degraded})`;
    default:
      return status satisfies never;
  }
}

/** With its connector, in the same transaction. */
export async function deleteConnectorHealth(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('connector_calls').where('connector_id', '=', id).execute();
  await tx.deleteFrom('connector_health').where('connector_id', '=', id).execute();
}

/** Of buckets before this one, at most `limit`; how many there were. */
export async function deleteCallsBefore(tx: Tx, before: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from connector_calls
    where (connector_id, bucket_at, source) in (select connector_id, bucket_at, source from connector_calls
      where bucket_at < ${before} limit ${limit})`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** What a use that was under way has left of connectors that were deleted meanwhile. */
export async function deleteStrayHealth(tx: Tx): Promise<void> {
  await sql`delete from connector_health
    where not exists (select 1 from connectors where connectors.id = connector_health.connector_id)`.execute(
    tx,
  );
}

/** Null where there is no such connector. */
export async function selectConnectorId(db: Db, id: number): Promise<number | null> {
  const row = await db.selectFrom('connectors').select('id').where('id', '=', id).executeTakeFirst();
  return row?.id ?? null;
}
