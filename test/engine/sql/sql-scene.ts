import type { RunOutcome } from '../../../src/base/run-report.ts';
import type { Batch, Column, ColumnType, Row, Writer } from '../../../src/drivers/driver.ts';
import type { RunContext } from '../../../src/engine/run-context.ts';
import { runTask } from '../../../src/engine/run-task.ts';
import { contextOf, createKeeper, driversWith, inputOf, type Keeper } from '../support/task-run.ts';

/** A table of the query: its batches, or its rows with the types of their columns. */
export type Table =
  | readonly Batch[]
  | { readonly columns: Readonly<Record<string, ColumnType>>; readonly rows: readonly Row[] };

export interface Query {
  readonly folder: string;
  readonly tables: Readonly<Record<string, Table>>;
  readonly query: string;
  /** More keys of the step, as YAML in one line: `params: {since: 3}`. */
  readonly keys?: string;
  readonly context?: Partial<RunContext>;
  readonly keeper?: Keeper;
}

export interface QueryOutcome extends RunOutcome {
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly rows: readonly Row[];
  readonly keeper: Keeper;
}

export function columnsOf(types: Readonly<Record<string, ColumnType>>): Column[] {
  return Object.entries(types).map(([name, type]) => ({ name, type, nullable: true }));
}

function batchesOf(table: Table): readonly Batch[] {
  if (Array.isArray(table)) return table;
  const { columns, rows } = table as Exclude<Table, readonly Batch[]>;
  return [{ columns: columnsOf(columns), rows: [...rows] }];
}

/** A task that reads the tables from connectors and loads what the query makes of them. */
export function queryYaml(tables: readonly string[], query: string, keys = ''): string {
  const reads = tables.map(
    (name) =>
      `  - { id: read_${name}, kind: extract, connector: ${name}, method: find, args: {filter: {table: ${name}}} }`,
  );
  const inputs = tables.map((name) => `${name}: read_${name}`).join(', ');
  return `
version: 1
name: joined
connectors: { ${tables.map((name) => `${name}: {type: dummy}, `).join('')} target: {type: dummy} }
steps:
${reads.join('\n')}
  - id: query
    kind: sql
    inputs: { ${inputs} }
    query: |
${query
  .trim()
  .split('\n')
  .map((line) => `      ${line}`)
  .join('\n')}
    ${keys}
  - { id: write, kind: load, input: query, connector: target, object: out, batch: {size: 1000} }
`;
}

/** Runs a query over rows, and gives the rows that its load got. */
export async function runQuery({
  folder,
  tables,
  query,
  keys,
  context,
  keeper = createKeeper(),
}: Query): Promise<QueryOutcome> {
  const names = Object.keys(tables);
  const rows: Row[] = [];
  let columns: readonly Column[] = [];
  const writer: Writer = {
    alreadyDone: null,
    write: async (batch) => {
      columns = batch.columns;
      rows.push(...batch.rows);
    },
    commit: async () => ({ rows: rows.length }),
    abort: async () => undefined,
  };
  const drivers = driversWith('dummy', (connection) => ({
    ...connection,
    openWriter: async () => writer,
    read: async function* ({ args }) {
      yield* batchesOf(tables[(args as { filter: { table: string } }).filter.table] ?? []);
    },
  }));
  const yaml = queryYaml(names, query, keys);
  const connectors = Object.fromEntries(
    [...names, 'target'].map((name) => [name, { type: 'dummy', config: {} }]),
  );
  const run = { folder, yaml, connectors, drivers };
  const outcome = await runTask(inputOf(run), keeper.ports, { ...contextOf(run), ...context });
  return {
    ...outcome,
    rows,
    columns: Object.fromEntries(columns.map(({ name, type }) => [name, type])),
    keeper,
  };
}
