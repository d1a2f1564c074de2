import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { StoreLine } from '../run-log-append.ts';

/** Rows of one INSERT: more does not gain, fewer costs calls. The last rows of a transaction go by the smaller ones. */
const ROWS_PER_INSERT = [50, 10, 1] as const;
const ROWS_MAX = ROWS_PER_INSERT[0];
const COLUMNS = 8;
const INSERT =
  'insert into run_logs (run_id, attempt, seq, at, level, step_id, message, fields_json) values ';

/** Gathers the rows of a transaction, of whatever batch and run they are, into inserts of many rows. */
export class LogInsert {
  readonly #statements: readonly StatementSync[];
  readonly #values = new Array<SQLInputValue>(ROWS_MAX * COLUMNS);
  #rows = 0;
  #runId = 0;
  #attempt = 0;

  constructor(database: DatabaseSync) {
    const group = '(?, ?, ?, ?, ?, ?, ?, ?)';
    this.#statements = ROWS_PER_INSERT.map((rows) =>
      database.prepare(INSERT + Array(rows).fill(group).join(', ')),
    );
  }

  /** Whose lines come next. */
  of(runId: number, attempt: number): void {
    this.#runId = runId;
    this.#attempt = attempt;
  }

  readonly add: StoreLine = (seq, at, level, stepId, message, fieldsJson) => {
    const values = this.#values;
    const start = this.#rows * COLUMNS;
    values[start] = this.#runId;
    values[start + 1] = this.#attempt;
    values[start + 2] = seq;
    values[start + 3] = at;
    values[start + 4] = level;
    values[start + 5] = stepId;
    values[start + 6] = message;
    values[start + 7] = fieldsJson;
    this.#rows += 1;
    if (this.#rows < ROWS_MAX) return;
    this.#statements[0]?.run(...values);
    this.#rows = 0;
  };

  /** Inserts what is left. */
  flush(): void {
    let row = 0;
    for (const [index, rows] of ROWS_PER_INSERT.entries()) {
      for (; this.#rows - row >= rows; row += rows)
        this.#statements[index]?.run(...this.#values.slice(row * COLUMNS, (row + rows) * COLUMNS));
    }
    this.#rows = 0;
  }

  /** Forgets what was not inserted. */
  clear(): void {
    this.#rows = 0;
  }
}
