import { selectNow } from '../../store/select-now.ts';
import type { Store, Tx } from '../../store/store.ts';
import { markDeleted } from '../deletions/deletion-store.ts';
import type { Pieces } from '../deletions/pieces.ts';
import { deleteEnded, failOverflow, selectGoneWebhookIds } from './delivery/webhook-delivery-store.ts';
import { deleteLostEpisodes } from './failure-episode-store.ts';
import { selectWebhookIds } from './webhook-store.ts';

const DAY_MS = 86_400_000;
const KEPT_MS = { delivered: 7 * DAY_MS, failed: 30 * DAY_MS } as const;
const WAITING_PER_WEBHOOK_MAX = 100_000;

/** Deletes old deliveries and episodes of deleted jobs; fails pending deliveries beyond what a receiver could ever process. */
export async function sweepWebhooks(
  store: Store,
  pieces: Pieces,
  waitingMax = WAITING_PER_WEBHOOK_MAX,
): Promise<void> {
  const now = await selectNow(store.read, store.dialect);
  const long = (work: (tx: Tx) => Promise<unknown>) =>
    store.write(async (tx) => {
      await store.dialect.allowLong(tx);
      await work(tx);
    });
  for (const status of ['delivered', 'failed'] as const)
    await pieces.all((tx, limit) => deleteEnded(tx, status, now - KEPT_MS[status], limit));
  const gone = await selectGoneWebhookIds(store.read);
  if (gone.length > 0) await pieces.one((tx) => markDeleted(tx, 'webhook', gone, now));
  const overflow = { kept: waitingMax, error: `More than ${waitingMax} events waited for the webhook` };
  for (const id of await selectWebhookIds(store.read))
    await long((tx) => failOverflow(tx, id, overflow, now));
  await long(deleteLostEpisodes);
}
