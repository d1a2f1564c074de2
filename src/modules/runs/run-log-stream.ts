import { timestamp } from '../../base/clock.ts';
import type { EventStream } from '../../http/sse.ts';
import type { Store } from '../../store/store.ts';
import { isActive, toRun } from './run.ts';
import { isLogComplete, LOG_LEVEL_NAMES, type LogRow } from './run-log.ts';
import { type LogFilters, selectAckedSeq, selectLogs } from './run-log-store.ts';
import type { RunNews } from './run-news.ts';
import { selectRun } from './run-store.ts';

const LINES_PER_READ = 500;
/** News may be lost: the stream looks by itself this often. */
const POLL_MS = 1_000;
/** How long the stream waits for the last lines of a run that has ended, before it says that they are missing. */
const LAST_LINES_WAIT_MS = 10_000;

export interface LogStreamDeps {
  readonly store: Store;
  readonly news: RunNews;
  readonly now: () => number;
}

/**
 * Follows one run: `log` lines by seq, `status` and `progress` when they change, and `end {last_seq, complete}` last. It reads
 * the store by seq, so a slow reader loses nothing and costs no memory, and a reconnect with `Last-Event-ID` goes on exactly.
 */
export async function streamRunLog(
  stream: EventStream,
  runId: number,
  filters: LogFilters,
  deps: LogStreamDeps,
): Promise<void> {
  const wake = new Wake();
  const unsubscribe = deps.news.subscribe(runId, () => wake.ring());
  let after = filters.after;
  let shown = { status: '', progress: '' };
  try {
    while (!stream.signal.aborted) {
      const run = await selectRun(deps.store.read, runId);
      if (run === null) break;
      const record = toRun(run);
      const now = { status: `${run.status}/${run.attempt}/${run.reason}`, progress: run.progress_json ?? '' };
      if (now.status !== shown.status) await stream.send({ event: 'status', data: statusOf(record) });
      if (now.progress !== shown.progress && record.progress !== null)
        await stream.send({ event: 'progress', data: record.progress });
      shown = now;
      // Read before the lines: all that it counts is among them, or was sent before.
      const acked = await selectAckedSeq(deps.store.logs, runId, run.attempt);
      const rows = await selectLogs(deps.store.logs, runId, { ...filters, after }, LINES_PER_READ);
      for (const row of rows) {
        await stream.send({ event: 'log', data: toLine(row), id: `${row.attempt}.${row.seq}` });
        after = { attempt: row.attempt, seq: row.seq };
      }
      if (rows.length === LINES_PER_READ) continue;
      after = laterOf(after, { attempt: run.attempt, seq: acked });
      if (!isActive(run.status)) {
        const complete = isLogComplete(run, acked);
        if (complete || deps.now() - (run.ended_at ?? 0) > LAST_LINES_WAIT_MS) {
          await stream.send({ event: 'end', data: { last_seq: acked, complete, status: run.status } });
          break;
        }
      }
      await wake.wait(POLL_MS, stream.signal);
    }
  } finally {
    unsubscribe();
    stream.end();
  }
}

type Place = LogFilters['after'];

/** Lines up to `acked` have been looked at, though a filter may have kept them all back: they are not read again. */
function laterOf(after: Place, acked: Place): Place {
  if (acked.attempt !== after.attempt) return acked.attempt > after.attempt ? acked : after;
  return acked.seq > after.seq ? acked : after;
}

export function toLine(row: LogRow) {
  return {
    attempt: row.attempt,
    seq: row.seq,
    at: timestamp(row.at),
    level: LOG_LEVEL_NAMES[row.level] ?? 'info',
    step_id: row.step_id === '' ? null : row.step_id,
    message: row.message,
    fields: row.fields_json === null ? null : (JSON.parse(row.fields_json) as Record<string, unknown>),
  };
}

function statusOf(run: ReturnType<typeof toRun>) {
  const { id, status, reason, attempt, items, error, started_at, ended_at } = run;
  return { id, status, reason, attempt, items, error, started_at, ended_at };
}

/** A bell that remembers one ring: news that comes while the reader works is not missed. */
class Wake {
  #rung = false;
  #ring: (() => void) | null = null;

  ring(): void {
    this.#rung = true;
    this.#ring?.();
  }

  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#rung && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => resolve(), ms);
        this.#ring = () => {
          clearTimeout(timer);
          resolve();
        };
        signal.onabort = this.#ring;
      });
    }
    this.#ring = null;
    this.#rung = false;
  }
}
