import type { MetricPoint } from './backend.ts';
import { changesResults, subjectOf } from './measurements.ts';

/** Points as columns: cheap to pass to a thread, and the form in which PostgreSQL accepts many rows at once. */
export interface PackedPoints {
  readonly length: number;
  readonly runId: number[];
  readonly attempt: number[];
  readonly batchSeq: number[];
  readonly index: number[];
  readonly at: number[];
  readonly name: string[];
  readonly kind: string[];
  readonly value: number[];
  readonly subject: string[];
  readonly tagsJson: string[];
  /** The runs of the points, each once, by ascending id. */
  readonly runs: readonly PackedRun[];
  /** The attempts with changed results. */
  readonly changed: readonly { readonly runId: number; readonly attempt: number }[];
}

export interface PackedRun {
  readonly runId: number;
  readonly taskId: number | null;
  readonly taskName: string;
  readonly at: number;
}

/** A repeated point is packed once, in its last form: no statement may touch the same row twice. */
export function packPoints(points: readonly MetricPoint[]): PackedPoints {
  const runs = new Map<number, PackedRun>();
  const changed = new Map<string, { runId: number; attempt: number }>();
  const packed: Omit<PackedPoints, 'length' | 'runs' | 'changed'> = {
    ...{ runId: [], attempt: [], batchSeq: [], index: [], at: [] },
    ...{ name: [], kind: [], value: [], subject: [], tagsJson: [] },
  };
  for (const point of distinct(points)) {
    const { run_id, attempt, batch_seq, index, at, name, kind, value, tags } = point;
    packed.runId.push(run_id);
    packed.attempt.push(attempt);
    packed.batchSeq.push(batch_seq);
    packed.index.push(index);
    packed.at.push(at);
    packed.name.push(storable(name));
    packed.kind.push(kind);
    packed.value.push(value);
    packed.subject.push(storable(subjectOf(point)));
    packed.tagsJson.push(tagsJsonOf(tags));
    if (runs.get(run_id)?.at !== at)
      runs.set(run_id, { runId: run_id, taskId: point.task_id, taskName: storable(point.task_name), at });
    if (changesResults(name)) changed.set(`${run_id}.${attempt}`, { runId: run_id, attempt });
  }
  return {
    ...packed,
    length: packed.runId.length,
    runs: [...runs.values()].sort((one, other) => one.runId - other.runId),
    changed: [...changed.values()].sort((one, other) => one.runId - other.runId),
  };
}

/** PostgreSQL has no place for NUL, nor for half of a surrogate pair. */
function storable(text: string): string {
  return text.isWellFormed() && !text.includes('\0') ? text : text.toWellFormed().replaceAll('\0', '\ufffd');
}

function tagsJsonOf(tags: MetricPoint['tags']): string {
  const json = JSON.stringify(tags);
  if (!/\\u(0000|d[89a-f])/.test(json)) return json;
  const clean = Object.entries(tags).map(([key, value]) => [storable(key), storable(value)] as const);
  return JSON.stringify(Object.fromEntries(clean));
}

/** A batch's points have ascending indexes; only merged batches can hold a point twice. */
function distinct(points: readonly MetricPoint[]): Iterable<MetricPoint> {
  const rising = points.every((point, at) => {
    const before = points[at - 1];
    return before === undefined || (isSameBatch(before, point) && before.index < point.index);
  });
  if (rising) return points;
  const keyOf = ({ run_id, attempt, batch_seq, index }: MetricPoint) =>
    `${run_id}.${attempt}.${batch_seq}.${index}`;
  return new Map(points.map((point) => [keyOf(point), point])).values();
}

function isSameBatch(one: MetricPoint, other: MetricPoint): boolean {
  return one.run_id === other.run_id && one.attempt === other.attempt && one.batch_seq === other.batch_seq;
}
