import { z } from 'zod';
import type { Method, ResourceView } from '../driver.ts';

export const sqlCharsMax = 100_000;
export const sqlParamsMax = 1_000;
export const argumentRowsMax = 1_000;

const table = z
  .string()
  .min(1, 'Name a table')
  .describe('A table or view: `contacts`, or `sales.contacts` with its schema.');
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const filter = z
  .record(z.string(), z.unknown())
  .describe('Equality or operators per column: `{"city": "Bonn", "age": {"gte": 18}}`.');
const row = z.record(z.string(), z.unknown());
const rows = z
  .array(row)
  .min(1, 'Give at least one row')
  .max(argumentRowsMax, `Give at most ${argumentRowsMax} rows`)
  .describe('Rows to write.');
const key = z
  .array(z.string())
  .min(1, 'Name at least one key column')
  .describe('Columns that identify a row.');
const someFilter = filter.refine((value) => Object.keys(value).length > 0, 'Give at least one condition');

export const queryArgs = z.strictObject({
  sql: z
    .string()
    .min(1, 'Give a statement')
    .max(sqlCharsMax)
    .describe('One statement; pass values in `params`.'),
  params: z.array(scalar).max(sqlParamsMax).default([]).describe('Values of the placeholders, in order.'),
});
export const listArgs = z.strictObject({
  table,
  columns: z.array(z.string()).optional().describe('Columns to read; default: all.'),
  filter: filter.default({}),
  sort: z.array(z.string()).default([]).describe('`name` ascending, `-name` descending.'),
  limit: z.int().min(1).optional().describe('Maximum rows to return.'),
});
export const getArgs = z.strictObject({ table, key: someFilter.describe('The row: `{"id": 7}`.') });
export const countArgs = z.strictObject({ table, filter: filter.default({}) });
export const insertArgs = z.strictObject({ table, rows });
export const upsertArgs = z.strictObject({ table, key, rows });
export const updateArgs = z.strictObject({
  table,
  set: row
    .refine((value) => Object.keys(value).length > 0, 'Give at least one column')
    .describe('New values per column.'),
  filter: someFilter.describe(
    'The rows to change; at least one condition, to prevent changing a whole table by accident.',
  ),
});
export const deleteArgs = z.strictObject({ table, filter: someFilter });

/** The table that a `list` reads; null with a `limit`, which bounds all pages together. */
function listedTable(args: unknown): ResourceView | null {
  const parsed = listArgs.safeParse(args);
  if (!parsed.success || parsed.data.limit !== undefined) return null;
  const { table: resource, columns, filter, sort } = parsed.data;
  return { resource, filter, sort, ...(columns === undefined ? {} : { columns }) };
}

/** The methods of every SQL connector. `params` stand for `?` in SQLite and MySQL, and for `$1`, `$2` in PostgreSQL. */
export const sqlMethods: readonly Method[] = [
  {
    name: 'query',
    summary: 'Rows of one SQL statement',
    kind: 'rows',
    args: queryArgs,
    scope: { kind: 'unscoped' },
    cursor: {
      kind: 'by_hand',
      example:
        'sql: SELECT … WHERE <field> > ? ORDER BY <field> (in PostgreSQL: > $1) and params: ["{{ state.cursor }}"]',
    },
  },
  {
    name: 'list',
    summary: 'Rows of a table, filtered and sorted',
    kind: 'rows',
    args: listArgs,
    scope: { kind: 'conditions', arg: 'filter' },
    cursor: { kind: 'conditions', arg: 'filter', sort: 'sort', limit: 'limit', divides: true },
    pageOf: listedTable,
  },
  {
    name: 'get',
    summary: 'One row by its key, or null',
    kind: 'value',
    args: getArgs,
    scope: { kind: 'conditions', arg: 'key' },
  },
  {
    name: 'count',
    summary: 'Number of rows of a table',
    kind: 'value',
    args: countArgs,
    scope: { kind: 'conditions', arg: 'filter' },
  },
  { name: 'insert', summary: 'Adds rows', kind: 'write', args: insertArgs },
  {
    name: 'upsert',
    summary: 'Inserts rows, or updates those with the same key',
    kind: 'write',
    args: upsertArgs,
  },
  { name: 'merge', summary: 'Same as upsert', kind: 'write', args: upsertArgs },
  { name: 'update', summary: 'Updates the rows that match a filter', kind: 'write', args: updateArgs },
  { name: 'delete', summary: 'Deletes the rows that match a filter', kind: 'write', args: deleteArgs },
  { name: 'execute', summary: 'Runs one SQL statement that writes', kind: 'write', args: queryArgs },
];
