import { sql } from 'kysely';
import type { Paging } from '../../http/paging.ts';
import type { Dialect } from '../../store/dialect.ts';
import { recordStatements } from '../../store/record-statements.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { Labels } from '../definitions/label.ts';
import type { ReceiverKind, Subscription, WebhookRow, WebhookSettings } from './webhook.ts';

const receivers = recordStatements('webhooks');
export const { count: countWebhooks, update: updateSecrets, remove: deleteWebhook } = receivers;

/** Null where it is a channel. */
export async function selectWebhook(db: Db, id: number): Promise<WebhookRow | null> {
  return webhookOrNull(await receivers.select(db, id));
}

/** As `selectWebhook`, held until the transaction ends. */
export async function lockWebhook(tx: Tx, dialect: Dialect, id: number): Promise<WebhookRow | null> {
  return webhookOrNull(await receivers.lock(tx, dialect, id));
}

/** Of whatever kind. */
export const { select: selectReceiver, lock: lockReceiver } = receivers;

/** In the order of `paging`; one row more than the page. */
export async function selectWebhooks(
  db: Db,
  { enabled }: { readonly enabled?: boolean | undefined },
  paging: Paging,
): Promise<WebhookRow[]> {
  return receivers.page(db, paging, { enabled, kind: 'webhook' });
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
    select id, kind, events_json, job_ids_json, template_ids_json, labels_json, dead_letters_over
      from webhooks where enabled = 1
    union all select 0, '', '', null, null, null, 0 where exists (select 1 from failure_episodes)`.execute(
    db,
  );
  const subscriptions = rows.filter(({ id }) => Number(id) !== 0);
  return { subscriptions, anyFailing: subscriptions.length < rows.length };
}

export interface WebhookWrite {
  readonly settings: WebhookSettings;
  /** Of a channel; `{}` without. */
  readonly settings_json?: string;
  readonly by: string;
  readonly now: number;
}

/** A row for whose id its secret is sealed next. */
export function insertWebhook(
  tx: Tx,
  { kind, settings, settings_json = '{}', by, now }: WebhookWrite & { readonly kind: ReceiverKind },
): Promise<WebhookRow> {
  const fresh = {
    kind,
    settings_json,
    secrets_json: '{}',
    version: 1,
    created_at: now,
    updated_at: now,
    updated_by: by,
  };
  return receivers.insert(tx, { ...columnsOf(settings), ...fresh });
}

/** A new version. Enabling resets the failures. */
export function updateWebhook(
  tx: Tx,
  before: WebhookRow,
  { settings, settings_json = before.settings_json, by, now }: WebhookWrite,
): Promise<WebhookRow> {
  const begins = settings.enabled && before.enabled === 0;
  const fresh = { consecutive_failures: 0, failing_since: null, disabled_reason: null };
  return receivers.update(tx, before.id, {
    ...columnsOf(settings),
    settings_json,
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

/** The existing ones among these. */
export async function selectIds(
  db: Db,
  table: 'jobs' | 'job_templates',
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom(table).select('id').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.id));
}

/** What events say of a job, and what decides who is told. */
export interface EventJob {
  readonly name: string;
  readonly job_template_id: number | null;
  readonly labels: Labels;
}

/** Without a name where the job is gone. */
export async function selectEventJob(db: Db, id: number): Promise<EventJob> {
  const query = db.selectFrom('jobs').select(['name', 'job_template_id', 'labels_json']).where('id', '=', id);
  const row = await query.executeTakeFirst();
  if (row === undefined) return { name: '', job_template_id: null, labels: {} };
  const { labels_json, ...job } = row;
  return { ...job, labels: JSON.parse(labels_json) as Labels };
}

function webhookOrNull(row: WebhookRow | null): WebhookRow | null {
  return row?.kind === 'webhook' ? row : null;
}

function columnsOf({ events, job_ids, template_ids, labels, enabled, ...rest }: WebhookSettings) {
  return {
    ...rest,
    events_json: JSON.stringify(events),
    job_ids_json: job_ids === null ? null : JSON.stringify(job_ids),
    template_ids_json: template_ids === null ? null : JSON.stringify(template_ids),
    labels_json: labels === null ? null : JSON.stringify(labels),
    enabled: Number(enabled),
  };
}
