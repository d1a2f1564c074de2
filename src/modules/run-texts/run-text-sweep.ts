import { selectNow } from '../../store/select-now.ts';
import type { Store, Tx } from '../../store/store.ts';
import { Pieces } from '../deletions/pieces.ts';
import {
  deleteUnused,
  hasUnmoved,
  lockUnmoved,
  MOVED_TEXTS,
  moveTexts,
  saveTexts,
} from './run-text-store.ts';

/**
 * Moves the texts of rows from before texts were stored once, and deletes those that no row refers to any more. In transactions
 * of some ms, with pauses as long, so that starts come in between; what a stop leaves, the next sweep continues.
 */
export async function sweepRunTexts(store: Store, signal: AbortSignal): Promise<void> {
  const inPieces = (work: Piece) =>
    new Pieces(store, signal).all(async (tx, limit) =>
      work(tx, await selectNow(tx, store.dialect), limit, store),
    );
  if (await hasUnmoved(store.read))
    for (const moved of MOVED_TEXTS) await inPieces((...piece) => moveRows(moved, ...piece));
  await inPieces(deleteUnused);
}

/** Gives how many rows it looked at, at most `limit`. */
type Piece = (tx: Tx, now: number, limit: number, store: Store) => Promise<number>;

async function moveRows(
  moved: (typeof MOVED_TEXTS)[number],
  tx: Tx,
  now: number,
  limit: number,
  { dialect }: Store,
): Promise<number> {
  const rows = await lockUnmoved(tx, moved, dialect.skipLocked, limit);
  const texts = rows.flatMap(({ first, second }) => [first, second]);
  const idOf = await saveTexts(tx, texts, now);
  for (const { id, first, second } of rows) await moveTexts(tx, moved, id, [idOf(first), idOf(second)]);
  return rows.length;
}
