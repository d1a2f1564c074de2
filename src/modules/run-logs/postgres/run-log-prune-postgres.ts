import { selectNow } from '../../../store/select-now.ts';
import type { Store } from '../../../store/store.ts';
import type { LogRetention } from '../run-log-retention.ts';
import {
  dropLogPartition,
  ensureLogPartition,
  logDayOf,
  markPruned,
  selectLogPartitions,
} from './run-log-partitions.ts';

/**
 * Drops the partitions of days that are past, whole, and makes those of today and tomorrow ahead. Readers are told before the
 * lines go, so a sweep that dies in between is finished by the next. Today's is never dropped.
 */
export async function pruneLogPartitions(store: Store, retention: LogRetention): Promise<void> {
  const now = await selectNow(store.read, store.dialect);
  const today = logDayOf(now);
  for (const day of [today, today + 1]) await store.write((tx) => ensureLogPartition(tx, day));
  const partitions = await store.write(selectLogPartitions);
  let bytes = partitions.reduce((sum, partition) => sum + partition.bytes, 0);
  for (const partition of partitions) {
    const tooOld = partition.day < logDayOf(retention.before);
    const tooMuch = retention.bytesMax > 0 && bytes > retention.bytesMax;
    if (partition.day >= today || !(tooOld || tooMuch)) continue;
    await store.write((tx) => markPruned(tx, partition.day));
    await store.write((tx) => dropLogPartition(tx, partition.day));
    bytes -= partition.bytes;
  }
}
