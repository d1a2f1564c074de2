import { isRecord } from '../../base/json.ts';
import { type DeadLetter, MALFORMED_RECORD, type RowOrigin } from '../../base/run-report.ts';
import { type Batch, ConnectorError, type MalformedRecord, type Row } from '../../drivers/driver.ts';
import { ExpressionError } from '../../language/expression/expression.ts';
import { everyStep } from '../../language/task/parse-task.ts';
import type { LoadStep } from '../../language/task/steps/load/load-step.ts';
import { expressionMessage, rowWords } from '../expression-message.ts';
import { RowError } from '../ops/row-error.ts';
import type { StepState } from '../report/step-state.ts';
import { RunFault, toRunFault } from '../run-fault.ts';
import type { RunState } from '../run-state.ts';
import type { DeadLetterBuffer } from './dead-letter-buffer.ts';
import { malformedItem } from './malformed-item.ts';

/** Item errors of a step that the log shows one by one; the others are counted. */
export const ITEM_ERRORS_LOGGED_MAX = 10;
/** Items before `max_error_rate` is judged for the first time; it is judged once more at the end. */
export const ERROR_RATE_ITEMS_MIN = 100;

/** Messages of these tell the row themselves. */
const NAMES_ITS_ROW: readonly string[] = ['EXPRESSION_ERROR', MALFORMED_RECORD];

/** Items of one step that fail: what becomes of each by `on_error`, and when there are too many of them. */
export class ItemErrors {
  readonly #run: RunState;
  readonly #state: StepState;
  readonly #letters: DeadLetterBuffer;
  /** The keys of the task's loads; null until a row fails. */
  #loadKeys: readonly LoadStep['key'][] | null = null;

  constructor(run: RunState, state: StepState, letters: DeadLetterBuffer) {
    this.#run = run;
    this.#state = state;
    this.#letters = letters;
  }

  /** Throws a `RunFault` where this item must end the step, or where the error is not the item's. */
  fail(row: Row, error: unknown, origin?: RowOrigin): void {
    const fault = itemFault(error, row, { ...origin, ...this.#keyOf(row, origin) });
    if (fault === null) throw toRunFault(error, this.#state.step.id);
    const replay_of = this.#run.origins?.get(row);
    this.#count(
      {
        ...fault,
        item: row,
        ...unfitIn(row, error),
        ...(origin !== undefined && { origin }),
        ...(replay_of !== undefined && { replay_of }),
      },
      error,
    );
  }

  /** What names the row to people: the key of its source, else that by which a load of the task knows rows, where the row has it. */
  #keyOf(row: Row, origin?: RowOrigin): Pick<RowOrigin, 'key'> {
    if (origin?.key !== undefined) return {};
    this.#loadKeys ??= everyStep(this.#run.plan.task).flatMap((step) =>
      step.kind === 'load' && step.key.length > 0 ? [step.key] : [],
    );
    const names = this.#loadKeys.find((key) => key.every((name) => Object.hasOwn(row, name)));
    return names === undefined ? {} : { key: Object.fromEntries(names.map((name) => [name, row[name]])) };
  }

  /**
   * Ends the step for a batch of which some row does not fit, and the target does not say which. Names the batch: any row of it might be
   * taken for the one to correct.
   */
  failBatch({ rows, originOf }: Pick<Batch, 'rows' | 'originOf'>, error: ConnectorError): never {
    const [first, last] = [0, rows.length - 1].map((index) => {
      const row = rows[index] as Row;
      const origin = originOf?.(index);
      return rowWords({ ...origin, ...this.#keyOf(row, origin) }, row);
    });
    const range = first == null || last == null ? '' : `, ${first} to ${last}`;
    const where = `in a batch of ${rows.length.toLocaleString('en')} rows${range}; on_error: dead_letter names the row`;
    const { step, figures } = this.#state;
    figures.rows_failed++;
    throw new RunFault('DATA_ERROR', `${error.message} (${where})`, {
      reason: 'item_errors',
      stepId: step.id,
      cause: error,
    });
  }

  /** The same for a record of the source that is no row. */
  failRecord(record: MalformedRecord): void {
    const { error, origin } = record;
    const { message } = error;
    this.#count({ code: MALFORMED_RECORD, message, item: malformedItem(record), origin }, error);
  }

  /** The same for an item of a foreach, whose steps have failed with `fault`. */
  failItem(item: unknown, fault: RunFault, origin?: RowOrigin): void {
    const { code, message } = fault;
    const replay_of = isRecord(item) ? this.#run.origins?.get(item) : undefined;
    this.#count(
      { code, message, item, ...(origin && { origin }), ...(replay_of !== undefined && { replay_of }) },
      fault,
    );
  }

  #count(failed: Omit<DeadLetter, 'step_id'>, error: unknown): void {
    const state = this.#state;
    const { step } = state;
    const { code, message, origin } = failed;
    state.figures.rows_failed++;
    if (step.onError.action === 'fail') {
      throw new RunFault(code, this.#withRow(failed), {
        reason: 'item_errors',
        stepId: step.id,
        cause: error,
      });
    }
    if (state.figures.rows_failed <= ITEM_ERRORS_LOGGED_MAX) {
      this.#run.ports.log('warn', step.id, `Item failed: ${message}`, { code, ...(origin && { origin }) });
    }
    if (step.onError.action === 'dead_letter') this.#letters.add({ step_id: step.id, ...failed });
    const { maxErrors } = step.onError;
    if (this.#isBounded && maxErrors !== null && state.figures.rows_failed > maxErrors) {
      throw this.#tooMany(`${state.figures.rows_failed} items failed; at most ${maxErrors} may`);
    }
  }

  /** The message of an item that ends its run, and which one it is. */
  #withRow({ code, message, item, origin }: Omit<DeadLetter, 'step_id'>): string {
    if (NAMES_ITS_ROW.includes(code)) return message;
    const where = rowWords({ ...origin, ...(isRecord(item) && this.#keyOf(item, origin)) }, item);
    return where === null ? message : `${message} (${where})`;
  }

  /** After every batch: judges the rate, and lets go of dead letters when there are too many to hold. */
  afterBatch(): Promise<void> | undefined {
    if (this.#state.figures.rows_failed === 0) return undefined;
    if (this.#state.figures.rows_in >= ERROR_RATE_ITEMS_MIN) this.#judgeRate();
    return this.#letters.overfull ? this.#letters.flush() : undefined;
  }

  atEnd(): void {
    const { figures, step } = this.#state;
    const { rows_failed } = figures;
    if (rows_failed === 0) return;
    if (rows_failed > ITEM_ERRORS_LOGGED_MAX) {
      const more = rows_failed - ITEM_ERRORS_LOGGED_MAX;
      this.#run.ports.log('warn', step.id, `${more} more items failed`, { rows_failed });
    }
    this.#judgeRate();
  }

  /** Bounds are meant for all the rows of a source; those of a replay have all failed before. */
  get #isBounded(): boolean {
    return this.#run.origins === null;
  }

  #judgeRate(): void {
    const { figures, step } = this.#state;
    const { rows_failed, rows_in } = figures;
    const { maxErrorRate } = step.onError;
    if (!this.#isBounded || maxErrorRate === null || rows_failed <= maxErrorRate * rows_in) return;
    const share = ((rows_failed / Math.max(1, rows_in)) * 100).toFixed(1);
    throw this.#tooMany(
      `${rows_failed} of ${rows_in} items failed (${share} %); at most ${maxErrorRate * 100} % may`,
    );
  }

  #tooMany(message: string): RunFault {
    return new RunFault('TOO_MANY_ITEM_ERRORS', message, {
      reason: 'item_errors',
      stepId: this.#state.step.id,
    });
  }
}

/** The column that did not fit, and its value, where the error names one. */
function unfitIn(row: Row, error: unknown): Pick<DeadLetter, 'column' | 'value'> {
  if (error instanceof RowError && error.column !== null) return { column: error.column, value: error.value };
  if (error instanceof ExpressionError && error.column !== null) {
    const { column, value } = error;
    return { column, value: value ?? null };
  }
  if (!(error instanceof ConnectorError) || error.column === undefined) return {};
  return { column: error.column, value: row[error.column] ?? null };
}

/** What to tell of an error that belongs to the item alone; null where it does not. */
export function itemFault(
  error: unknown,
  row?: Row,
  origin?: RowOrigin,
): { readonly code: string; readonly message: string } | null {
  if (error instanceof RowError) return { code: error.code, message: error.message };
  if (error instanceof ExpressionError) {
    return { code: 'EXPRESSION_ERROR', message: expressionMessage(error, row, origin) };
  }
  if (error instanceof ConnectorError && error.fault === 'DATA') {
    return { code: 'DATA_ERROR', message: error.message };
  }
  return null;
}
