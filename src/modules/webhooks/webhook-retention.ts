import type { Store } from '../../store/store.ts';
import { selectNow } from '../runs/run-lease-store.ts';
import { deleteLostEpisodes } from './failure-episode-store.ts';
import { deleteEnded } from './webhook-delivery-store.ts';

const DAY_MS = 86_400_000;
const KEPT_MS = { delivered: 7 * DAY_MS, failed: 30 * DAY_MS } as const;
/** Of one transaction; the next sweep goes on where that was not all. */
const DELETED_PER_SWEEP_MAX = 20_000;

/** Deletes deliveries that ended long ago, and episodes of jobs that are no more. */
export async function sweepWebhooks(store: Store): Promise<void> {
  const now = await selectNow(store.read, store.dialect);
  for (const status of ['delivered', 'failed'] as const)
    await store.write((tx) => deleteEnded(tx, status, now - KEPT_MS[status], DELETED_PER_SWEEP_MAX));
  await store.write(deleteLostEpisodes);
}
