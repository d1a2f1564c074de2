import { selectNow } from '../../store/select-now.ts';
import type { Store, Tx } from '../../store/store.ts';
import { Pieces } from '../deletions/pieces.ts';
import {
  deleteUnused,
  hasUnmoved,
  lockUnmovedJobRuns,
  lockUnmovedRuns,
  moveJobRunTexts,
  moveRunTexts,
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
  if (await hasUnmoved(store.read)) {
    await inPieces(moveRuns);
    await inPieces(moveJobRuns);
  }
  await inPieces(deleteUnused);
}

/** Gives how many rows it looked at, at most `limit`. */
type Piece = (tx: Tx, now: number, limit: number, store: Store) => Promise<number>;

async function moveRuns(tx: Tx, now: number, limit: number, { dialect }: Store): Promise<number> {
  const rows = await lockUnmovedRuns(tx, dialect.skipLocked, limit);
  const texts = rows.flatMap((row) => [row.yaml_content, row.config_json]);
  const idOf = await saveTexts(tx, texts, now);
  for (const { id, yaml_content, config_json } of rows)
    await moveRunTexts(tx, id, idOf(yaml_content), idOf(config_json));
  return rows.length;
}

async function moveJobRuns(tx: Tx, now: number, limit: number, { dialect }: Store): Promise<number> {
  const rows = await lockUnmovedJobRuns(tx, dialect.skipLocked, limit);
  const texts = rows.flatMap((row) => [row.parsed_json, row.config_json]);
  const idOf = await saveTexts(tx, texts, now);
  for (const { id, parsed_json, config_json } of rows)
    await moveJobRunTexts(tx, id, idOf(parsed_json), idOf(config_json));
  return rows.length;
}
