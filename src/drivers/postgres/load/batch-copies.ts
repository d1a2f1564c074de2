import type { ClientBase } from 'pg';
import { KEYED_MODES } from '../../../language/task/steps/load/load-step.ts';
import type { Batch, WriteRequest } from '../../driver.ts';
import { quoteList } from '../../sql/identifier.ts';
import { escapeText } from '../../sql/load/line-bytes.ts';
import { compileLines, type LineWriter } from '../../sql/load/row-lines.ts';
import { rowShapes } from '../../sql/load/row-shapes.ts';
import type { Losses } from '../../values/losses.ts';
import { copyRows } from '../copy-query.ts';
import type { PostgresTable } from '../introspect.ts';
import { type CellRules, copyCell } from './copy-text.ts';
import type { LoadPlace } from './load-place.ts';
import { isStageColumn, shapeColumn } from './stage/stage-columns.ts';

/** The statement for rows of one shape. */
interface Copy {
  readonly sql: string;
  readonly lines: LineWriter;
}

/** The COPY of a load's rows: one statement for each set of columns that they have. */
export class BatchCopies {
  readonly #request: WriteRequest;
  readonly #rules: CellRules;
  readonly #copies = new Map<string, Copy>();

  constructor(request: WriteRequest, losses: Losses) {
    this.#request = request;
    this.#rules = { object: request.object, lossy: request.lossy, losses };
  }

  /** The rows of a batch by the columns that they have. */
  shapesOf(batch: Batch): readonly Batch[] {
    const { mode, key } = this.#request;
    // Of rows that are deleted the key alone matters, and of a version all that it says.
    if (mode === 'delete' || mode === 'scd2') return [batch];
    return rowShapes(batch, key, mode).map((part) => part.batch);
  }

  knows(shapes: readonly Batch[]): boolean {
    return shapes.every((batch) => this.#copies.has(idOf(batch)));
  }

  /** The place has changed. */
  forget(): void {
    this.#copies.clear();
  }

  prepare(place: LoadPlace, shapes: readonly Batch[]): void {
    for (const batch of shapes) {
      const id = idOf(batch);
      if (!this.#copies.has(id)) this.#copies.set(id, this.#copyInto(place, batch));
    }
  }

  /** Gives how many rows went, and how many of them the table has taken. `prefix`: statements before the first. */
  async write(
    client: ClientBase,
    shapes: readonly Batch[],
    prefix: string,
  ): Promise<{ readonly sent: number; readonly taken: number }> {
    let [sent, taken] = [0, 0];
    for (const [at, batch] of shapes.entries()) {
      const copy = this.#copies.get(idOf(batch)) as Copy;
      taken += await copyRows(client, (at === 0 ? prefix : '') + copy.sql, batch.rows, copy.lines);
      sent += batch.rows.length;
    }
    return { sent, taken };
  }

  #copyInto(place: LoadPlace, batch: Batch): Copy {
    const { mode, key } = this.#request;
    const targets = new Map(place.table.columns.map((column) => [column.name, column]));
    const fields = batch.columns.flatMap((column) => {
      const target = targets.get(column.name);
      const isWanted = mode !== 'delete' || key.includes(column.name);
      if (target === undefined || target.generated || !isWanted) return [];
      return [{ name: column.name, cell: copyCell(column, target, this.#rules) }];
    });
    const names = fields.map(({ name }) => name);
    const shape = this.#shapeText(place, names);
    if (shape !== null)
      fields.push({ name: shapeColumn, cell: { text: () => escapeText(shape), isPlain: false } });
    return {
      sql: `COPY ${place.table.name.sql} (${quoteList(fields.map(({ name }) => name))}) FROM STDIN`,
      lines: compileLines(
        fields.map(({ name }) => name),
        fields.map(({ cell }) => cell),
      ),
    };
  }

  /** What a stage must know of the columns of a row; null where it has all of them, or nobody asks. */
  #shapeText({ table, given, target }: LoadPlace, names: readonly string[]): string | null {
    const { mode, columnsAreFixed = false } = this.#request;
    if (!table.columns.some(({ name }) => name === shapeColumn)) return null;
    const isPart = target?.oid === table.oid;
    if (!isPart && !KEYED_MODES.includes(mode)) return null;
    // The stage of parts gets more columns by those that others bring.
    const all = isPart ? (columnsAreFixed ? rowColumns(table) : null) : [...given];
    return all?.every((name) => names.includes(name)) === true ? null : JSON.stringify(names);
  }
}

function rowColumns({ columns }: PostgresTable): readonly string[] {
  return columns.filter(({ name, generated }) => !generated && !isStageColumn(name)).map(({ name }) => name);
}

function idOf({ columns }: Batch): string {
  return JSON.stringify(
    columns.map(({ name, type, native_type, declared }) => [name, type, native_type, declared?.sql]),
  );
}
