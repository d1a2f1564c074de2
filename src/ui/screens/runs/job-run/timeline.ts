import { momentOf } from '../../../kit/format-value.ts';
import type { TaskState } from './task-states.ts';

export interface TimelineBar {
  readonly task: TaskState;
  /** Shares of the whole, 0 to 1; null: it has no run yet. */
  readonly queued: number | null;
  readonly started: number | null;
  readonly ended: number;
}

export interface Timeline {
  readonly bars: readonly TimelineBar[];
  /** Seconds from its left to its right edge. */
  readonly seconds: number;
}

/** When each task waited and ran, from the first one's creation to the last one's end or to `now`. */
export function timelineOf(tasks: readonly TaskState[], now: number): Timeline {
  const spans = tasks.map((task) => ({
    task,
    created: momentOf(task.run?.created_at),
    started: momentOf(task.run?.started_at),
    ended: momentOf(task.run?.ended_at) ?? now,
  }));
  const known = spans.filter(({ created }) => created !== null);
  const from = Math.min(...known.map(({ created }) => created ?? now));
  const to = Math.max(from + 1, ...known.map(({ ended }) => ended));
  const share = (moment: number | null) =>
    moment === null ? null : Math.min(1, Math.max(0, (moment - from) / (to - from)));
  return {
    bars: spans.map(({ task, created, started, ended }) => ({
      task,
      queued: share(created),
      started: share(started),
      ended: share(ended) ?? 1,
    })),
    seconds: known.length === 0 ? 0 : (to - from) / 1_000,
  };
}
