import { ConnectorError, type Row } from '../../driver.ts';
import { toBatch } from '../../sql/row-batch.ts';
import { Losses } from '../../values/losses.ts';
import { findColumn, type MysqlTable } from '../introspect.ts';
import type { ReadOptions } from '../value-type.ts';
import { boundValue, exactOf } from './cell-text.ts';

interface RowRules extends ReadOptions {
  /** The table, as the user wrote it. */
  readonly object: string;
}

/** Rows of a call as the columns of the table hold them, for the values of a statement; throws `DATA` for one that does not fit. */
export function exactRows(table: MysqlTable, rows: readonly Row[], rules: RowRules): readonly Row[] {
  const cells = toBatch(rows).columns.map((column) => {
    const there = findColumn(table, column.name);
    if (there === undefined)
      throw new ConnectorError('CONFIG', `"${rules.object}" has no column "${column.name}"`);
    const exact = exactOf(column, there, { ...rules, lossy: new Map(), losses: new Losses() });
    const bound = boundValue(there.declared.toLowerCase());
    return { name: column.name, value: (value: unknown) => bound(exact === null ? value : exact(value)) };
  });
  return rows.map((row) => {
    const there = cells.filter(({ name }) => row[name] !== undefined);
    return Object.fromEntries(there.map(({ name, value }) => [name, value(row[name])]));
  });
}
