import type { Clock } from '../../base/clock.ts';
import { canonicalJson } from '../../base/json.ts';
import type { ExpectedVersions } from '../../http/etag.ts';
import { selectNow } from '../../store/select-now.ts';
import type { Store } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { createAudit } from '../audit/audit-service.ts';
import { recordChanges } from '../definitions/record-changes.ts';
import { DELETIONS_CHANNEL, markDeleted } from '../deletions/deletion-store.ts';
import { failPending } from '../webhooks/delivery/webhook-delivery-store.ts';
import { FRESH_RECEIVER, requireRoom, requireScope, settled } from '../webhooks/receiver-changes.ts';
import { type ChannelKind, settingsOf, type WebhookRow, type WebhookSettings } from '../webhooks/webhook.ts';
import { DISABLED } from '../webhooks/webhook-disable.ts';
import { deleteWebhook, insertWebhook, updateSecrets, updateWebhook } from '../webhooks/webhook-store.ts';
import { mailOf } from './channel.ts';
import { type ChannelAddressDeps, type ChannelInput, channelAddress } from './channel-address.ts';
import { openChannelSecret, sealChannelSecret } from './channel-secret.ts';
import { lockChannel } from './channel-store.ts';

export interface ChannelsDeps extends ChannelAddressDeps {
  readonly store: Store;
  readonly clock: Clock;
}

export type Channels = ReturnType<typeof createChannels>;

/** Where people are told of events. `VALIDATION_ERROR` for addresses that the server may not reach, and for unknown jobs and templates. */
export function createChannels(deps: ChannelsDeps) {
  const { store, clock, cipher } = deps;
  const audit = createAudit(clock);
  const { change } = recordChanges(store, 'channel', lockChannel);

  async function create(
    kind: ChannelKind,
    input: ChannelInput & Pick<WebhookSettings, 'name' | 'events'>,
    actor: Actor,
  ): Promise<WebhookRow> {
    const { name, secret, target, settings_json } = channelAddress(deps, kind, input, null);
    const base = { ...FRESH_RECEIVER, name: input.name, events: input.events, url: target };
    const settings = settled({ ...input, url: target }, base);
    return store.write(async (tx) => {
      await requireRoom(tx);
      await requireScope(tx, settings);
      const now = clock.now();
      const { id } = await insertWebhook(tx, { kind, settings, settings_json, by: actor.name, now });
      const row = await updateSecrets(tx, id, {
        secrets_json: sealChannelSecret(cipher, id, name, secret),
      });
      await audit(tx, actor, 'channel.create', id, { kind, ...audited(row) });
      return row;
    });
  }

  /** Identical content makes no new version. Disabling a channel fails its pending deliveries. */
  async function update(
    id: number,
    input: ChannelInput,
    expected: ExpectedVersions,
    actor: Actor,
  ): Promise<WebhookRow> {
    return change(id, expected, async (tx, before) => {
      const { name, secret, target, settings_json } = channelAddress(
        deps,
        before.kind as ChannelKind,
        input,
        before,
      );
      const known = settingsOf(before);
      const settings = settled({ ...input, url: target }, known);
      const isSame =
        canonicalJson(settings) === canonicalJson(known) &&
        settings_json === before.settings_json &&
        secret === openChannelSecret(cipher, before, name);
      if (isSame) return before;
      await requireScope(tx, settings, known);
      const write = { settings, settings_json, by: actor.name, now: clock.now() };
      await updateWebhook(tx, before, write);
      const row = await updateSecrets(tx, id, {
        secrets_json: sealChannelSecret(cipher, id, name, secret),
      });
      if (!settings.enabled) await failPending(tx, id, DISABLED, await selectNow(tx, store.dialect));
      await audit(tx, actor, 'channel.update', id, { before: audited(before), after: audited(row) });
      return row;
    });
  }

  /** Its deliveries follow in the background. */
  async function remove(id: number, expected: ExpectedVersions, actor: Actor): Promise<void> {
    await change(id, expected, async (tx, row) => {
      await deleteWebhook(tx, id);
      await markDeleted(tx, 'webhook', [id], clock.now());
      await audit(tx, actor, 'channel.delete', id, audited(row));
    });
    store.notify(DELETIONS_CHANNEL);
  }

  return { create, update, remove };
}

/** For the audit log: the address only as far as it is no secret. */
function audited(row: WebhookRow) {
  const { url: target, ...settings } = settingsOf(row);
  return { ...settings, target, email: mailOf(row) };
}
