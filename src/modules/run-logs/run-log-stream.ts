import { WakeSignal } from '../../base/concurrency/wake-signal.ts';
import type { EventStream } from '../../http/sse.ts';
import { isActive, type RunRow } from '../runs/run.ts';
import { toRun } from '../runs/shown/shown-run.ts';
import { logGap, NO_LOG } from './run-log.ts';
import type { RunLogHub, WatchedState } from './run-log-hub.ts';
import type { AttemptCursor, LogFilters, LogPlace } from './run-log-store.ts';

/** Notifications may be lost: the stream also polls this often. */
const POLL_MS = 1_000;
/** How long the stream waits for the last lines of a run that has ended before it reports them as missing. */
const LAST_LINES_WAIT_MS = 10_000;

export interface LogStreamDeps {
  readonly hub: RunLogHub;
  readonly now: () => number;
}

/**
 * Follows one run: `log` lines by seq, `gap {attempt, from, to, reason}` where lines were deleted or not kept, `status` and
 * `progress` when they change, and `end {last_seq, complete, reason}` last. It reads the store by seq, so a slow reader loses
 * nothing and costs no more memory than the page it is being sent, and a reconnect with `Last-Event-ID` resumes exactly.
 */
export async function streamRunLog(
  stream: EventStream,
  runId: number,
  filters: LogFilters,
  { hub, now }: LogStreamDeps,
): Promise<void> {
  const wake = new WakeSignal();
  const watch = hub.watch(runId, () => wake.set());
  let after = filters.after;
  const shown = { status: '', progress: '' };
  try {
    while (!stream.signal.aborted) {
      const state = await watch.state();
      if (state === null) break;
      await sendState(stream, state.run, shown);
      const passed = await sendGaps(stream, after, state);
      const page = await watch.page({ ...filters, after: passed }, state);
      if (page.events !== null) await stream.sendBytes(page.events);
      after = page.last;
      if (page.more || page.events !== null) continue;
      const gap = placeBeforeGap(after, state.cursors);
      after = gap ?? laterOf(after, lastOf(state));
      if (gap !== null) continue;
      if (await sendEnd(stream, state, now())) break;
      await wake.wait(POLL_MS, stream.signal);
    }
  } finally {
    watch.close();
    stream.end();
  }
}

async function sendState(
  stream: EventStream,
  run: RunRow,
  shown: { status: string; progress: string },
): Promise<void> {
  const status = `${run.status}/${run.attempt}/${run.reason}`;
  const progress = run.progress_json ?? '';
  if (status !== shown.status) await stream.send({ event: 'status', data: statusOf(toRun(run)) });
  if (progress !== shown.progress && progress !== '')
    await stream.send({ event: 'progress', data: JSON.parse(progress) });
  shown.status = status;
  shown.progress = progress;
}

/** The place after the gaps that begin at `after`. */
async function sendGaps(stream: EventStream, after: LogPlace, { cursors }: WatchedState): Promise<LogPlace> {
  let place = after;
  for (let gap = gapAfter(place, cursors); gap !== null; gap = gapAfter(place, cursors)) {
    place = { attempt: gap.attempt, seq: gap.to };
    await stream.send({ event: 'gap', data: gap, id: `${place.attempt}.${place.seq}` });
  }
  return place;
}

/** False while the end is not known. */
async function sendEnd(stream: EventStream, { run, cursors }: WatchedState, now: number): Promise<boolean> {
  if (isActive(run.status)) return false;
  const cursor = newestOf(run, cursors);
  const reason = logGap(run, cursor);
  if (reason === 'missing' && now - (run.ended_at ?? 0) <= LAST_LINES_WAIT_MS) return false;
  const data = { last_seq: cursor.acked_seq, complete: reason === null, reason, status: run.status };
  await stream.send({ event: 'end', data });
  return true;
}

export function newestOf(run: Pick<RunRow, 'attempt'>, cursors: readonly AttemptCursor[]) {
  return cursors.find((cursor) => cursor.attempt === run.attempt) ?? NO_LOG;
}

function lastOf({ run, cursors }: WatchedState): LogPlace {
  return { attempt: run.attempt, seq: newestOf(run, cursors).acked_seq };
}

/** Lines up to `acked` have been read, even where a filter dropped them all: they are not read again. */
function laterOf(after: LogPlace, acked: LogPlace): LogPlace {
  if (acked.attempt !== after.attempt) return acked.attempt > after.attempt ? acked : after;
  return acked.seq > after.seq ? acked : after;
}

function statusOf(run: ReturnType<typeof toRun>) {
  const { id, status, reason, attempt, items, error, started_at, ended_at } = run;
  return { id, status, reason, attempt, items, error, started_at, ended_at };
}

/** Lines that a reader at a place will never see, and why. */
interface Gap {
  readonly attempt: number;
  readonly from: number;
  readonly to: number;
  readonly reason: 'retention' | 'quota';
}

/** The first that was dropped gave its place to the note that says so. */
function noteOf({ acked_seq, dropped }: AttemptCursor): number {
  return acked_seq - dropped + 1;
}

/** The gap that begins right after `after`, where there is one: sent to a reader before the lines after it. */
export function gapAfter(after: LogPlace, cursors: readonly AttemptCursor[]): Gap | null {
  for (const cursor of cursors) {
    const { attempt, acked_seq, dropped, pruned_seq } = cursor;
    if (attempt < after.attempt) continue;
    const seq = attempt === after.attempt ? after.seq : 0;
    if (seq < pruned_seq) return { attempt, from: seq + 1, to: pruned_seq, reason: 'retention' };
    if (dropped > 1 && seq >= noteOf(cursor) && seq < acked_seq)
      return { attempt, from: seq + 1, to: acked_seq, reason: 'quota' };
    if (seq < acked_seq) return null;
  }
  return null;
}

/**
 * Where a reader that finds no more lines after `after` continues, so that it passes by no gap: a filter may have kept back the
 * lines before one. Null where there is none.
 */
export function placeBeforeGap(after: LogPlace, cursors: readonly AttemptCursor[]): LogPlace | null {
  for (const cursor of cursors) {
    const { attempt, dropped, pruned_seq } = cursor;
    if (attempt < after.attempt) continue;
    if (attempt > after.attempt && pruned_seq > 0) return { attempt, seq: 0 };
    const seq = attempt === after.attempt ? after.seq : 0;
    if (dropped > 1 && seq < noteOf(cursor)) return { attempt, seq: noteOf(cursor) };
  }
  return null;
}
