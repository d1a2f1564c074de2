import type { Paging } from '../../http/paging.ts';
import type { Dialect } from '../../store/dialect.ts';
import { narrowed, onPage } from '../../store/lists/keyset.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { ChannelKind, WebhookRow } from '../webhooks/webhook.ts';
import { lockReceiver, selectReceiver } from '../webhooks/webhook-store.ts';

/** Null where it is a webhook. */
export async function selectChannel(db: Db, id: number): Promise<WebhookRow | null> {
  return channelOrNull(await selectReceiver(db, id));
}

/** As `selectChannel`, held until the transaction ends. */
export async function lockChannel(tx: Tx, dialect: Dialect, id: number): Promise<WebhookRow | null> {
  return channelOrNull(await lockReceiver(tx, dialect, id));
}

export interface ChannelFilters {
  readonly kind?: ChannelKind | undefined;
  readonly enabled?: boolean | undefined;
}

/** In the order of `paging`; one row more than the page. */
export async function selectChannels(
  db: Db,
  { kind, enabled }: ChannelFilters,
  paging: Paging,
): Promise<WebhookRow[]> {
  const channels = db.selectFrom('webhooks').selectAll().where('kind', '<>', 'webhook');
  const flag = enabled === undefined ? undefined : Number(enabled);
  return onPage(narrowed(channels, { kind, enabled: flag }), paging).execute();
}

function channelOrNull(row: WebhookRow | null): WebhookRow | null {
  return row === null || row.kind === 'webhook' ? null : row;
}
