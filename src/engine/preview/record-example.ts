import type { Row } from '../../drivers/driver.ts';
import type { PreviewOutcome } from './preview-steps.ts';

/** Rows of one step that an example may have. */
const ROWS_MAX = 100;

/** An item of a task's `tests`, as the document has it. */
export interface RecordedExample {
  readonly name: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly job_config?: Readonly<Record<string, unknown>>;
  readonly input: Readonly<Record<string, readonly Row[]>>;
  readonly expect: Readonly<Record<string, readonly Row[]>>;
}

interface Recorded {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly jobConfig: Readonly<Record<string, unknown>>;
}

/**
 * A preview as an example of the task: what its extracts gave and its lookups found, and what its transforms, queries and scripts made
 * of it. null where it did not come to its end, no step made anything of rows, or lookups found more than an example may have. What has
 * more than 100 rows is not expected.
 */
export function exampleOf(
  { failure, steps, looked }: PreviewOutcome,
  { name, args, jobConfig }: Recorded,
): RecordedExample | null {
  const rowsOf = (kinds: readonly string[]) => {
    const found = steps.filter(({ kind, status }) => kinds.includes(kind) && status !== 'skipped');
    const few = found.filter(({ rows }) => rows.length <= ROWS_MAX);
    return Object.fromEntries(few.map(({ step_id, rows }) => [step_id, rows]));
  };
  const expect = rowsOf(['transform', 'sql', 'script']);
  const isTooMuch = Object.values(looked).some((rows) => rows.length > ROWS_MAX);
  if (failure !== null || isTooMuch || Object.keys(expect).length === 0) return null;
  return {
    name,
    ...(Object.keys(args).length > 0 && { args }),
    ...(Object.keys(jobConfig).length > 0 && { job_config: jobConfig }),
    input: { ...rowsOf(['extract']), ...looked },
    expect,
  };
}
