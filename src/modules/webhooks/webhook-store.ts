import { sql } from 'kysely';
import type { Paging } from '../../http/paging.ts';
import { recordStatements } from '../../store/record-statements.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { Subscription, WebhookRow, WebhookSettings } from './webhook.ts';

const webhooks = recordStatements('webhooks');
export const {
  select: selectWebhook,
  lock: lockWebhook,
  count: countWebhooks,
  update: updateSecrets,
  remove: deleteWebhook,
} = webhooks;

/** In the order of `paging`; one row more than the page. */
export async function selectWebhooks(
  db: Db,
  { enabled }: { readonly enabled?: boolean | undefined },
  paging: Paging,
): Promise<WebhookRow[]> {
  return webhooks.page(db, paging, { enabled });
}

export async function selectWebhookIds(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('webhooks').select('id').orderBy('id').execute();
  return rows.map((row) => row.id);
}

/** The data that decides whether an event is written at all. */
export interface Known {
  readonly subscriptions: readonly Subscription[];
  /** Whether there is a failure episode of any job. */
  anyFailing: boolean;
}

/** One statement, since every transaction that ends job runs executes it. */
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

/** A row for whose id its secret is sealed next. */
export function insertWebhook(tx: Tx, { settings, by, now }: WebhookWrite): Promise<WebhookRow> {
  const fresh = { secrets_json: '{}', version: 1, created_at: now, updated_at: now, updated_by: by };
  return webhooks.insert(tx, { ...columnsOf(settings), ...fresh });
}

/** A new version. Enabling resets the failures. */
export function updateWebhook(
  tx: Tx,
  before: WebhookRow,
  { settings, by, now }: WebhookWrite,
): Promise<WebhookRow> {
  const begins = settings.enabled && before.enabled === 0;
  const fresh = { consecutive_failures: 0, failing_since: null, disabled_reason: null };
  return webhooks.update(tx, before.id, {
    ...columnsOf(settings),
    ...(begins ? fresh : {}),
    version: before.version + 1,
    updated_at: now,
    updated_by: by,
  });
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

/** Automatically; false if it was already disabled. */
export async function disableWebhook(tx: Tx, id: number, reason: string, now: number): Promise<boolean> {
  const result = await tx
    .updateTable('webhooks')
    .set((eb) => ({ enabled: 0, disabled_reason: reason, version: eb('version', '+', 1), updated_at: now }))
    .where('id', '=', id)
    .where('enabled', '=', 1)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The existing ones among these jobs. */
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
