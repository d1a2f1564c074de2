import type { ReplayRows } from '../../protocol/control-plane.ts';
import type { Db } from '../../store/store.ts';
import { selectReplayItems, selectReplayLetters } from './dead-letter-replay-store.ts';

const PAGE_ROWS_MAX = 500;
/** Length of a page's JSON: in UTF-8 at most three times that, which one message of either binding holds. */
const PAGE_CHARS_MAX = 512 * 1_024;

/** The rows of a replay after the letter `after`, as many as a page may hold, at least one while there are any. */
export async function replayRowsAfter(db: Db, runId: number, after: number): Promise<ReplayRows> {
  const letters = await selectReplayLetters(db, runId, after, PAGE_ROWS_MAX);
  let chars = 0;
  let count = 0;
  for (const letter of letters) {
    chars += letter.chars;
    if (count > 0 && chars > PAGE_CHARS_MAX) break;
    count += 1;
  }
  if (count === 0) return { rows: [] };
  const items = await selectReplayItems(db, runId, after, count);
  return { rows: items.map(({ id, json }) => ({ letter_id: id, item: JSON.parse(json) as unknown })) };
}
