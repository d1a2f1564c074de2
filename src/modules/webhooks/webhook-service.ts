import type { Cipher } from '../../base/cipher.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError, requireFound } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Outbound } from '../../base/outbound/outbound.ts';
import type { ExpectedVersions } from '../../http/etag.ts';
import { selectNow } from '../../store/select-now.ts';
import type { Store } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { createAudit } from '../audit/audit-service.ts';
import { recordChanges } from '../definitions/record-changes.ts';
import { DELETIONS_CHANNEL, markDeleted } from '../deletions/deletion-store.ts';
import { failPending } from './delivery/webhook-delivery-store.ts';
import {
  FRESH_RECEIVER,
  type ReceiverInput,
  requireReachable,
  requireRoom,
  requireScope,
  settled,
} from './receiver-changes.ts';
import { settingsOf, type WebhookRow, type WebhookSettings } from './webhook.ts';
import { DISABLED } from './webhook-disable.ts';
import { newSecret, sealSecrets, signingSecrets } from './webhook-secret.ts';
import {
  deleteWebhook,
  insertWebhook,
  lockWebhook,
  selectWebhook,
  updateSecrets,
  updateWebhook,
} from './webhook-store.ts';

export interface WebhooksDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly cipher: Cipher;
  readonly checkUrl: Outbound['checkUrl'];
}

/** A webhook with its secret, which is shown only once. */
export interface IssuedWebhook {
  readonly row: WebhookRow;
  readonly secret: string;
}

export type Webhooks = ReturnType<typeof createWebhooks>;

/** Receivers that sign what they are sent. `VALIDATION_ERROR` for a URL that the server may not reach, and for unknown jobs and templates. */
export function createWebhooks({ store, clock, cipher, checkUrl }: WebhooksDeps) {
  const audit = createAudit(clock);
  const { change } = recordChanges(store, 'webhook', lockWebhook);

  async function create(
    input: ReceiverInput & Pick<WebhookSettings, 'name' | 'url' | 'events'>,
    actor: Actor,
  ): Promise<IssuedWebhook> {
    const settings = settled(input, {
      ...FRESH_RECEIVER,
      name: input.name,
      url: input.url,
      events: input.events,
    });
    requireReachable(checkUrl, settings.url);
    const secret = newSecret();
    return store.write(async (tx) => {
      await requireRoom(tx);
      await requireScope(tx, settings);
      const now = clock.now();
      const { id } = await insertWebhook(tx, { kind: 'webhook', settings, by: actor.name, now });
      const row = await updateSecrets(tx, id, {
        secrets_json: sealSecrets(cipher, id, { secret, previous: null }),
        previous_secret_until: null,
        version: 1,
        updated_at: now,
        updated_by: actor.name,
      });
      await audit(tx, actor, 'webhook.create', id, audited(settings));
      return { row, secret };
    });
  }

  /** Identical content makes no new version. Disabling a webhook fails its pending deliveries. */
  async function update(
    id: number,
    input: ReceiverInput,
    expected: ExpectedVersions,
    actor: Actor,
  ): Promise<WebhookRow> {
    if (input.url !== undefined) requireReachable(checkUrl, input.url);
    return change(id, expected, async (tx, before) => {
      const known = settingsOf(before);
      const settings = settled(input, known);
      if (canonicalJson(settings) === canonicalJson(known)) return before;
      await requireScope(tx, settings, known);
      const row = await updateWebhook(tx, before, { settings, by: actor.name, now: clock.now() });
      if (!settings.enabled) await failPending(tx, id, DISABLED, await selectNow(tx, store.dialect));
      await audit(tx, actor, 'webhook.update', id, { before: audited(known), after: audited(settings) });
      return row;
    });
  }

  /** Its deliveries follow in the background. */
  async function remove(id: number, expected: ExpectedVersions, actor: Actor): Promise<void> {
    await change(id, expected, async (tx, row) => {
      await deleteWebhook(tx, id);
      await markDeleted(tx, 'webhook', [id], clock.now());
      await audit(tx, actor, 'webhook.delete', id, audited(settingsOf(row)));
    });
    store.notify(DELETIONS_CHANNEL);
  }

  return { create, update, remove, rotateSecret: createRotation({ store, clock, cipher }) };
}

/** A new secret; for `overlapSeconds`, messages are signed with the previous one too. */
function createRotation({ store, clock, cipher }: Pick<WebhooksDeps, 'store' | 'clock' | 'cipher'>) {
  const audit = createAudit(clock);
  const { locked } = recordChanges(store, 'webhook', lockWebhook);

  return async (id: number, overlapSeconds: number, actor: Actor): Promise<IssuedWebhook> => {
    const seen = requireFound(await selectWebhook(store.read, id), 'webhook', id);
    const secret = newSecret();
    const [previous = null] = signingSecrets(cipher, seen, 0);
    const sealed = sealSecrets(cipher, id, { secret, previous: overlapSeconds > 0 ? previous : null });
    return store.write(async (tx) => {
      const before = await locked(tx, id);
      if (before.secrets_json !== seen.secrets_json)
        throw new AppError(
          'CONFLICT',
          `The secret of the webhook "${id}" is being rotated right now: try again`,
        );
      const storeNow = await selectNow(tx, store.dialect);
      const row = await updateSecrets(tx, id, {
        secrets_json: sealed,
        previous_secret_until: overlapSeconds > 0 ? storeNow + overlapSeconds * 1_000 : null,
        version: before.version + 1,
        updated_at: clock.now(),
        updated_by: actor.name,
      });
      await audit(tx, actor, 'webhook.rotate', id, { name: row.name, overlap_seconds: overlapSeconds });
      return { row, secret };
    });
  };
}

/** For the audit log: only the origin of the URL, since receivers put their keys into the rest. */
function audited({ url, ...settings }: WebhookSettings) {
  return { ...settings, url: new URL(url).origin };
}
