import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type Column, ConnectorError, type Row } from '../../driver.ts';
import { quoteIdentifier, quoteList } from '../../sql/identifier.ts';
import type { CellWriter } from '../cells/cell-place.ts';
import { type CellRules, cellWriter } from '../cells/cell-writer.ts';
import { foldName } from '../fold-name.ts';
import type { SqliteTable } from '../introspect.ts';
import { findColumn, requiredColumns } from './load-table.ts';

/** Values of one statement: enough that compiling and calling weigh nothing, few enough to stay in the cache. */
const statementValuesMax = 2_000;
const engineValuesMax = 32_766;

export interface RowInserterOptions {
  readonly columns: readonly Column[];
  /** Empty where every row is new. */
  readonly key: readonly string[];
  /** Of a row that is there already; else it is left alone. */
  readonly changesRows: boolean;
  readonly rules: CellRules;
}

/** Inserts rows of one shape into one table, many rows a statement; with a key, changes the rows that are there, or leaves them. */
export class RowInserter {
  readonly #db: DatabaseSync;
  readonly #columns: readonly Column[];
  readonly #writers: readonly CellWriter[];
  readonly #head: string;
  readonly #tail: string;
  readonly #rowsMax: number;
  readonly #statements = new Map<number, StatementSync>();
  /** Set where SQLite would refuse the new row before it sees that the key is there. */
  readonly #update: StatementSync | null;
  readonly #key: readonly string[];
  /** The columns that change in a row that is there. */
  readonly #others: readonly string[];
  /** Whether a row that is there may stay as it is. */
  readonly leavesRows: boolean;

  constructor(
    db: DatabaseSync,
    table: SqliteTable,
    { columns, key, changesRows, rules }: RowInserterOptions,
  ) {
    if (columns.length > engineValuesMax)
      throw new ConnectorError(
        'DATA',
        `The rows have ${columns.length} columns; SQLite takes at most ${engineValuesMax}`,
      );
    this.#db = db;
    this.#columns = columns;
    this.#key = key;
    this.#writers = columns.map((column) => {
      const { declared = '' } = findColumn(table, column.name) ?? {};
      return cellWriter(column, { declared, strict: table.strict }, rules);
    });
    const names = columns.map((column) => column.name);
    const into = `INSERT INTO ${quoteIdentifier(table.name)}`;
    this.#head = names.length === 0 ? into : `${into} (${quoteList(names)}) VALUES `;
    const others = changesRows ? names.filter((name) => !key.includes(name)) : [];
    this.#others = others;
    this.leavesRows = key.length > 0 && others.length === 0;
    const changes = others.map((name) => `${quoteIdentifier(name)} = excluded.${quoteIdentifier(name)}`);
    const action = changes.length === 0 ? 'DO NOTHING' : `DO UPDATE SET ${changes.join(', ')}`;
    this.#tail = key.length === 0 ? '' : ` ON CONFLICT (${quoteList(key)}) ${action}`;
    const given = new Set(names.map(foldName));
    const isPartial = requiredColumns(table).some((column) => !given.has(foldName(column.name)));
    this.#update = key.length > 0 && isPartial ? prepareUpdate(db, table, others, key) : null;
    const isByRow = this.#update !== null || columns.length === 0;
    this.#rowsMax = isByRow ? 1 : Math.max(1, Math.floor(statementValuesMax / columns.length));
  }

  /** How many rows were added or changed. */
  insert(rows: readonly Row[]): number {
    if (this.#update !== null) return this.#changeOrInsert(rows, this.#update);
    let written = 0;
    for (let from = 0; from < rows.length; from += this.#rowsMax)
      written += this.#run(rows, from, Math.min(this.#rowsMax, rows.length - from));
    return written;
  }

  #changeOrInsert(rows: readonly Row[], update: StatementSync): number {
    const others = this.#columns
      .map((column, i) => ({ column, i }))
      .filter(({ column }) => this.#others.includes(column.name));
    const keys = this.#key.map((name) => ({
      name,
      i: this.#columns.findIndex((column) => column.name === name),
    }));
    let written = 0;
    for (const [at, row] of rows.entries()) {
      const values = [
        ...others.map(({ column, i }) => (this.#writers[i] as CellWriter)(row[column.name])),
        ...keys.map(({ name, i }) => (this.#writers[i] as CellWriter)(row[name])),
      ];
      const isThere = Number(update.run(...values).changes) > 0;
      if (!isThere) written += this.#run(rows, at, 1);
      else if (this.#others.length > 0) written += 1;
    }
    return written;
  }

  #run(rows: readonly Row[], from: number, count: number): number {
    const width = this.#columns.length;
    const values = new Array<SQLInputValue>(count * width);
    let at = 0;
    for (let r = from; r < from + count; r += 1) {
      const row = rows[r] as Row;
      for (let c = 0; c < width; c += 1) {
        values[at] = (this.#writers[c] as CellWriter)(row[(this.#columns[c] as Column).name]);
        at += 1;
      }
    }
    return Number(this.#statement(count).run(...values).changes);
  }

  #statement(count: number): StatementSync {
    const known = this.#statements.get(count);
    if (known !== undefined) return known;
    // One for full statements, and one for the last rows of a batch, whose number is mostly the same again.
    if (this.#statements.size > 8) this.#statements.clear();
    const tuple = `(${this.#columns.map(() => '?').join(',')})`;
    const values = this.#columns.length === 0 ? ' DEFAULT VALUES' : new Array(count).fill(tuple).join(',');
    const made = this.#db.prepare(this.#head + values + this.#tail);
    this.#statements.set(count, made);
    return made;
  }
}

function prepareUpdate(
  db: DatabaseSync,
  table: SqliteTable,
  others: readonly string[],
  key: readonly string[],
): StatementSync {
  const [anyKey] = key;
  // With nothing to change the key is set to itself, so that the count still tells whether the row is there.
  const set =
    others.length > 0
      ? others.map((name) => `${quoteIdentifier(name)} = ?`)
      : [`${quoteIdentifier(anyKey ?? '')} = ${quoteIdentifier(anyKey ?? '')}`];
  const where = key.map((name) => `${quoteIdentifier(name)} = ?`);
  return db.prepare(
    `UPDATE ${quoteIdentifier(table.name)} SET ${set.join(', ')} WHERE ${where.join(' AND ')}`,
  );
}
