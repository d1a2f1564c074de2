import { map, submap } from '../declare/map.ts';
import { integer } from '../declare/values.ts';

const BATCH_ROWS = 1_000;
/** What drivers hold to by themselves: a greater bound would do nothing. */
const BATCH_BYTES_MAX = 33_554_432;

/** What a step has of its batches. */
export interface BatchFields {
  readonly batchRows: number;
  /** The document names `batch.size`; a load of another size would not be what it asks for. */
  readonly batchRowsGiven: boolean;
  /** About how much the rows of a batch hold at most; null where the document names no bound. */
  readonly batchBytes: number | null;
}

/** `batch` of a step. */
export const BATCH = submap(
  map(
    'How rows are batched.',
    {
      size: integer('Rows per batch.', { min: 1, max: 50_000, absent: '1,000' }),
      max_bytes: integer(
        'A batch ends early once its rows hold about this many bytes (characters of text, bytes of binary values, and 8 for each value), after at least one row. For long rows: memory holds several batches of each step.',
        {
          min: 1_024,
          max: BATCH_BYTES_MAX,
          absent: '33,554,432 (32 MiB) when reading files or SQLite, none for other sources',
        },
      ),
    },
    { make: ({ size, max_bytes }): BatchBounds => ({ rows: size, bytes: max_bytes }) },
  ),
);

/** `batch` of a step, null for what it leaves out. */
export interface BatchBounds {
  readonly rows: number | null;
  readonly bytes: number | null;
}

/** What a step has of its `batch`, or of that of its task. */
export function batchFields(batch: BatchBounds | null): BatchFields {
  const { rows = null, bytes = null } = batch ?? {};
  return { batchRows: rows ?? BATCH_ROWS, batchRowsGiven: rows !== null, batchBytes: bytes };
}
