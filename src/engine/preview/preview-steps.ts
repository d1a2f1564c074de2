import { MALFORMED_RECORD, type RunFailure } from '../../base/run-report.ts';
import type { Batch, Column, MalformedRecord, Row } from '../../drivers/driver.ts';
import type { ExtractStep } from '../../language/task/steps/extract-step.ts';
import type { LoadStep } from '../../language/task/steps/load/load-step.ts';
import type { SqlStep } from '../../language/task/steps/sql/sql-step.ts';
import type { Step } from '../../language/task/steps/steps.ts';
import type { VerifyStep } from '../../language/task/steps/verify/verify-step.ts';
import { rangedArgs, rangeOf } from '../cursor/cursor-range.ts';
import { closeConnection, openConnection } from '../open-connection.ts';
import { type MalformedItem, malformedItem } from '../pipeline/malformed-item.ts';
import { withOrigins } from '../pipeline/row-origins.ts';
import { type RunState, runScope } from '../run-state.ts';
import { queryRows } from '../steps/sql.ts';
import { untilAborted } from '../until-aborted.ts';

/** Rows of one extract that a preview reads at most. */
export const PREVIEW_ROWS_MAX = 100;
/** Item errors of one step that a preview tells. */
export const PREVIEW_ERRORS_MAX = 20;
/** Rows of one query that a preview gives at most. */
export const PREVIEW_QUERY_ROWS_MAX = 1_000;

/** What a step would have done outside of the task, and did not. */
export type Effect =
  | {
      readonly action: 'load';
      readonly connector: string;
      readonly object: string;
      readonly mode: LoadStep['mode'];
      readonly key: readonly string[];
      readonly rows: number;
      /** The rows of the target that do not come would go as well. */
      readonly deletes_missing: boolean;
      /** What would follow where the target, compared after the commit, differs; null where it would not be compared. */
      readonly verify: NonNullable<LoadStep['verify']>['onDifference'] | null;
    }
  | {
      readonly action: 'verify';
      /** Connector and object, or method. */
      readonly source: string;
      readonly target: string;
      /** By the names in the source. */
      readonly key: readonly string[];
      readonly on_difference: VerifyStep['onDifference'];
    }
  | { readonly action: 'call'; readonly connector: string; readonly method: string; readonly args: unknown }
  | { readonly action: 'log'; readonly level: string; readonly message: unknown }
  | { readonly action: 'set_state'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly action: 'sleep'; readonly duration_ms: number }
  | { readonly action: 'stop'; readonly status: string; readonly message: unknown };

export interface PreviewStep {
  readonly step_id: string;
  readonly kind: Step['kind'];
  /** `skipped`: not executed, since its input was not, its condition is false, or the task was stopped before it. */
  readonly status: 'success' | 'warning' | 'error' | 'skipped';
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly rows_in: number;
  readonly rows_failed: number;
  readonly rows_skipped: number;
  readonly rows_filtered: number;
  readonly errors: readonly {
    readonly code: string;
    readonly message: string;
    readonly item: Row | MalformedItem;
  }[];
  readonly warnings: readonly string[];
  /** What the step would have done outside; null for one without such an effect, or that was not reached. */
  readonly would: Effect | null;
  /** What a call gave that only reads; else null. */
  readonly output: unknown;
  readonly duration_ms: number;
}

export interface PreviewOutcome {
  /** null where every step that a preview executes went through. */
  readonly failure: RunFailure | null;
  readonly steps: readonly PreviewStep[];
  /** What the lookups of transforms found in their connectors, by step id. */
  readonly looked: Readonly<Record<string, readonly Row[]>>;
}

export interface PreviewOptions {
  /** Rows of one extract, 1 to 100. */
  readonly rowsMax: number;
  /**
   * What extracts give, and what the lookups of transforms find, by step id: then no connector is opened, and a step that is missing has no
   * rows.
   */
  readonly given?: ReadonlyMap<string, readonly Row[]> | undefined;
}

/** What a step made of its rows. */
export interface Made {
  readonly batches: readonly Batch[];
  readonly rows_in: number;
  readonly rows_failed: number;
  readonly rows_skipped: number;
  readonly rows_filtered: number;
  readonly errors: PreviewStep['errors'];
  readonly warnings: readonly string[];
  readonly would?: Effect;
  readonly output?: unknown;
  /** What lookups found in their connectors. */
  readonly looked?: readonly Row[];
  /** The first item of a foreach. */
  readonly first?: unknown;
}

/** What an extract reads, or what is given in its place. */
export async function readSome(
  step: ExtractStep,
  run: RunState,
  { rowsMax: limit, given }: PreviewOptions,
  id: string = step.id,
): Promise<Made> {
  if (given !== undefined) return madeOf(given.get(id) ?? []);
  const { signal } = run;
  const args = await previewArgs(step, run);
  const connection = await openConnection(run, step, signal);
  const batches: Batch[] = [];
  let rows = 0;
  let rows_failed = 0;
  const errors: PreviewStep['errors'][number][] = [];
  const tell = (record: MalformedRecord) => {
    rows_failed++;
    if (errors.length >= PREVIEW_ERRORS_MAX) return;
    errors.push({ code: MALFORMED_RECORD, message: record.error.message, item: malformedItem(record) });
  };
  try {
    const onMalformed = step.onError.action === 'fail' ? undefined : tell;
    const request = {
      method: step.method,
      args,
      signal,
      readOnly: true,
      limit,
      batchRows: limit,
      onMalformed,
    };
    const iterator = connection.read(request)[Symbol.asyncIterator]();
    while (rows + rows_failed < limit) {
      const next = await untilAborted<IteratorResult<Batch>>(iterator.next(), signal);
      if (next.done === true) break;
      const { columns, rows: read, originOf } = withOrigins(next.value, rows, step.cursor?.field || null);
      batches.push({ columns, rows: read.slice(0, limit - rows), originOf });
      rows += next.value.rows.length;
    }
    iterator.return?.().then(undefined, () => undefined);
  } finally {
    await closeConnection(connection);
  }
  return {
    batches,
    rows_in: Math.min(rows, limit) + rows_failed,
    rows_failed,
    rows_skipped: 0,
    rows_filtered: 0,
    errors,
    warnings: [],
  };
}

/** The arguments of a first run, whose cursor starts at `initial`. */
async function previewArgs(step: ExtractStep, run: RunState): Promise<unknown> {
  if (step.cursor === null) return step.args.render(runScope(run));
  const range = await rangeOf(run, step, null);
  const rendered = await step.args.render(runScope(run, { cursor: range.from }));
  return rangedArgs(run, step, rendered, range).args;
}

/** Rows as a connector would give them: all with the same columns. */
export function madeOf(given: readonly Row[]): Made {
  const names = [...new Set(given.flatMap((row) => Object.keys(row)))];
  const columns = names.map((name) => ({ name, type: 'unknown', nullable: true }) as const);
  const rows = given.map((row) =>
    Object.fromEntries(names.map((name) => [name, Object.hasOwn(row, name) ? row[name] : undefined])),
  );
  const batches = rows.length === 0 ? [] : [{ columns, rows }];
  return {
    batches,
    rows_in: rows.length,
    rows_failed: 0,
    rows_skipped: 0,
    rows_filtered: 0,
    errors: [],
    warnings: [],
  };
}

/** What the query makes of the rows that the steps before gave. */
export async function querySome(
  step: SqlStep,
  run: RunState,
  given: ReadonlyMap<string, readonly Batch[]>,
): Promise<Made> {
  const tables = step.inputs.map((input) => ({ input, batches: given.get(input.step) ?? [] }));
  const batches: Batch[] = [];
  const warnings: string[] = [];
  let rows = 0;
  for await (const batch of queryRows(step, run, tables)) {
    const left = PREVIEW_QUERY_ROWS_MAX - rows;
    batches.push({ ...batch, rows: batch.rows.slice(0, left) });
    rows += batch.rows.length;
    if (rows <= PREVIEW_QUERY_ROWS_MAX) continue;
    warnings.push(`Only the first ${PREVIEW_QUERY_ROWS_MAX} rows of the query are shown`);
    break;
  }
  const counts = { rows_failed: 0, rows_skipped: 0, rows_filtered: 0 };
  const rows_in = tables.flatMap((table) => table.batches).reduce((sum, batch) => sum + batch.rows.length, 0);
  return { batches, rows_in, ...counts, errors: [], warnings };
}

export function previewed(step: Step, made: Made, duration_ms: number): PreviewStep {
  const { batches, first: _, looked: __, would = null, output = null, ...counts } = made;
  return {
    step_id: step.id,
    kind: step.kind,
    status: made.rows_failed > 0 ? 'warning' : 'success',
    columns: batches.at(-1)?.columns ?? [],
    rows: batches.flatMap((batch) => batch.rows),
    ...counts,
    would,
    output,
    duration_ms,
  };
}

export function notExecuted(step: Step): PreviewStep {
  const counts = { rows_in: 0, rows_failed: 0, rows_skipped: 0, rows_filtered: 0 };
  const nothing = {
    columns: [],
    rows: [],
    errors: [],
    warnings: [],
    would: null,
    output: null,
    duration_ms: 0,
  };
  return { step_id: step.id, kind: step.kind, status: 'skipped', ...counts, ...nothing };
}
