import type { DatabaseSync } from 'node:sqlite';
import type { Batch } from '../../driver.ts';
import { quoteIdentifier } from '../../sql/identifier.ts';
import { type CellRules, cellWriter } from '../cells/cell-writer.ts';
import type { SqliteTable } from '../introspect.ts';
import { findColumn } from './load-table.ts';

/** Rows that a trigger dropped with RAISE(IGNORE), where the engine does not tell them from rows whose key was there. */
export class IgnoredRows {
  readonly #db: DatabaseSync;
  readonly #table: SqliteTable;
  readonly #rules: CellRules;

  private constructor(db: DatabaseSync, table: SqliteTable, rules: CellRules) {
    this.#db = db;
    this.#table = table;
    this.#rules = rules;
  }

  /** null for a table whose triggers drop nothing. */
  static of(db: DatabaseSync, table: SqliteTable, rules: CellRules): IgnoredRows | null {
    return mayDropRows(db, table) ? new IgnoredRows(db, table, rules) : null;
  }

  /** How many rows of the batch have a key that is not in the table, now that they were put there. */
  count({ columns, rows }: Batch): number {
    const table = this.#table;
    const writers = this.#rules.key.flatMap((name) => {
      const column = columns.find((one) => one.name === name);
      const declared = findColumn(table, name)?.declared ?? '';
      return column === undefined
        ? []
        : [cellWriter(column, { declared, strict: table.strict }, this.#rules)];
    });
    const same = this.#rules.key.map((name) => `${quoteIdentifier(name)} = ?`).join(' AND ');
    const find = this.#db.prepare(`SELECT 1 FROM ${quoteIdentifier(table.name)} WHERE ${same}`);
    const isThere = (row: (typeof rows)[number]) =>
      find.get(...this.#rules.key.map((name, at) => writers[at]?.(row[name]) ?? null)) !== undefined;
    return rows.filter((row) => !isThere(row)).length;
  }
}

/** Whether a trigger of the table may drop rows. */
export function mayDropRows(db: DatabaseSync, { name }: SqliteTable): boolean {
  const triggers = db
    .prepare(`SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE`)
    .all(name);
  return triggers.some(({ sql }) => /\bRAISE\s*\(\s*IGNORE\b/i.test(String(sql)));
}
