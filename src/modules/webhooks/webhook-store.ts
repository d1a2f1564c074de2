import { sql } from 'kysely';
import type { Paging } from '../../http/paging.ts';
import type { Dialect } from '../../store/dialect.ts';
import { onPage } from '../../store/keyset.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { Subscription, WebhookRow, WebhookSettings } from './webhook.ts';

export async function selectWebhook(db: Db, id: number): Promise<WebhookRow | null> {
  return (await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The row, held until the transaction ends. */
export async function lockWebhook(tx: Tx, dialect: Dialect, id: number): Promise<WebhookRow | null> {
  const query = tx.selectFrom('webhooks').selectAll().where('id', '=', id).modifyEnd(dialect.forUpdate);
  return (await query.executeTakeFirst()) ?? null;
}

/** In the order of `paging`; one row more than the page. */
export async function selectWebhooks(
  db: Db,
  filters: { readonly enabled?: boolean | undefined },
  paging: Paging,
): Promise<WebhookRow[]> {
  let query = db.selectFrom('webhooks').selectAll();
  if (filters.enabled !== undefined) query = query.where('enabled', '=', Number(filters.enabled));
  return onPage(query, paging).execute();
}

export async function selectWebhookIds(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('webhooks').select('id').orderBy('id').execute();
  return rows.map((row) => row.id);
}

export async function countWebhooks(db: Db): Promise<number> {
  const query = db.selectFrom('webhooks').select((eb) => eb.fn.countAll<number>().as('count'));
  return Number((await query.executeTakeFirstOrThrow()).count);
}

/** What decides whether an event is written at all. */
export interface Known {
  readonly subscriptions: readonly Subscription[];
  /** Whether there is a failure episode of any job. */
  anyFailing: boolean;
}

/** One statement, since each transaction in which job runs end has it. */
export async function selectKnown(db: Db): Promise<Known> {
  const { rows } = await sql<Subscription>`
    select id, events_json, job_ids_json from webhooks where enabled = 1
    union all select 0, '', null where exists (select 1 from failure_episodes)`.execute(db);
  const subscriptions = rows.filter(({ id }) => Number(id) !== 0);
  return { subscriptions, anyFailing: subscriptions.length < rows.length };
}

export interface WebhookWrite {
  readonly settings: WebhookSettings;
  readonly by: string;
  readonly now: number;
}

/** The new row's id, for which its secret is sealed next. */
export async function insertWebhook(tx: Tx, { settings, by, now }: WebhookWrite): Promise<number> {
  const row = await tx
    .insertInto('webhooks')
    .values({
      ...columnsOf(settings),
      secrets_json: '{}',
      version: 1,
      created_at: now,
      updated_at: now,
      updated_by: by,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** A new version. One that is enabled begins without failures. */
export async function updateWebhook(
  tx: Tx,
  before: WebhookRow,
  { settings, by, now }: WebhookWrite,
): Promise<WebhookRow> {
  const begins = settings.enabled && before.enabled === 0;
  const fresh = { consecutive_failures: 0, failing_since: null, disabled_reason: null };
  return tx
    .updateTable('webhooks')
    .set({
      ...columnsOf(settings),
      ...(begins ? fresh : {}),
      version: before.version + 1,
      updated_at: now,
      updated_by: by,
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export interface SecretsWrite {
  readonly secrets_json: string;
  readonly previous_secret_until: number | null;
  readonly version: number;
  readonly updated_at: number;
  readonly updated_by: string;
}

export async function updateSecrets(tx: Tx, id: number, write: SecretsWrite): Promise<WebhookRow> {
  return tx.updateTable('webhooks').set(write).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}

export async function deleteWebhook(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('webhooks').where('id', '=', id).execute();
}

export async function recordSuccess(tx: Tx, id: number, now: number): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ last_success_at: now, consecutive_failures: 0, failing_since: null })
    .where('id', '=', id)
    .execute();
}

export async function recordFailure(tx: Tx, id: number, now: number): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set((eb) => ({
      last_failure_at: now,
      consecutive_failures: eb('consecutive_failures', '+', 1),
      failing_since: eb.fn.coalesce('failing_since', eb.val(now)),
    }))
    .where('id', '=', id)
    .execute();
}

/** By the server itself; false where it was disabled before. */
export async function disableWebhook(tx: Tx, id: number, reason: string, now: number): Promise<boolean> {
  const result = await tx
    .updateTable('webhooks')
    .set((eb) => ({ enabled: 0, disabled_reason: reason, version: eb('version', '+', 1), updated_at: now }))
    .where('id', '=', id)
    .where('enabled', '=', 1)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Of these jobs those that there are. */
export async function selectJobIds(db: Db, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('jobs').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.id));
}

export async function selectJobName(db: Db, id: number): Promise<string | null> {
  const row = await db.selectFrom('jobs').select('name').where('id', '=', id).executeTakeFirst();
  return row?.name ?? null;
}

function columnsOf({ events, job_ids, enabled, ...rest }: WebhookSettings) {
  return {
    ...rest,
    events_json: JSON.stringify(events),
    job_ids_json: job_ids === null ? null : JSON.stringify(job_ids),
    enabled: Number(enabled),
  };
}
