import type { ClientBase } from 'pg';
import { ConnectorError, type Row } from '../../driver.ts';
import { toBatch } from '../../sql/row-batch.ts';
import { Losses } from '../../values/losses.ts';
import { requireTable } from '../introspect.ts';
import { exactValue, textOf } from './copy-text.ts';

/** Rows of a call as the columns of a table hold them exactly, each value in the engine's own words. Throws `DATA` for one that does not fit. */
export async function exactRows(
  client: ClientBase,
  { table: object, schema }: { readonly table: string; readonly schema: string },
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const table = await requireTable(client, object, schema);
  const rules = { object, losses: new Losses() };
  const cells = toBatch(rows).columns.map((column) => {
    const target = table.columns.find(({ name }) => name === column.name);
    if (target === undefined)
      throw new ConnectorError('CONFIG', `"${object}" has no column "${column.name}"`);
    const exact = exactValue(column, target, rules) ?? ((value: unknown) => value);
    return { name: column.name, exact, text: textOf(target) };
  });
  return rows.map((row) => {
    const there = cells.filter(({ name }) => row[name] !== undefined);
    return Object.fromEntries(there.map(({ name, exact, text }) => [name, text(exact(row[name]))]));
  });
}
