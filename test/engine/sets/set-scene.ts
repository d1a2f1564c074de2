import type { Batch, ColumnType, Row, Writer } from '../../../src/drivers/driver.ts';
import type { RunContext } from '../../../src/engine/run-context.ts';
import { runTask } from '../../../src/engine/run-task.ts';
import { contextOf, createKeeper, driversWith, inputOf } from '../support/task-run.ts';

interface Given {
  readonly folder: string;
  readonly ops: readonly unknown[];
  readonly rows: readonly Row[];
  readonly others?: readonly Row[];
  /** More keys of the transform. */
  readonly keys?: Readonly<Record<string, unknown>>;
  readonly context?: Partial<RunContext>;
  /** What the source says of its columns. */
  readonly types?: Readonly<Record<string, ColumnType>>;
}

function batchesOf(rows: readonly Row[], types: Readonly<Record<string, ColumnType>> = {}): readonly Batch[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = names.map((name) => ({ name, type: types[name] ?? 'unknown', nullable: true }) as const);
  const whole = rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null])));
  const half = Math.ceil(whole.length / 2);
  return [whole.slice(0, half), whole.slice(half)].flatMap((part) =>
    part.length === 0 ? [] : [{ columns, rows: part }],
  );
}

/** What a transform makes of rows, as its load gets them. */
export async function runOps({ folder, ops, rows, others = [], keys = {}, context, types }: Given) {
  const out: Row[] = [];
  const writer: Writer = {
    alreadyDone: null,
    write: async (batch) => {
      out.push(...batch.rows);
    },
    commit: async () => ({ rows: out.length }),
    abort: async () => undefined,
  };
  const drivers = driversWith('dummy', (connection) => ({
    ...connection,
    openWriter: async () => writer,
    read: async function* ({ args }) {
      yield* batchesOf((args as { filter: { of: string } }).filter.of === 'left' ? rows : others, types);
    },
  }));
  const read = (id: string) => ({
    id,
    kind: 'extract',
    connector: 'source',
    method: 'find',
    args: { filter: { of: id } },
  });
  const yaml = JSON.stringify({
    version: 1,
    name: 'sets',
    connectors: { source: { type: 'dummy' }, target: { type: 'dummy' } },
    steps: [
      read('left'),
      read('right'),
      { id: 'shape', kind: 'transform', input: 'left', ops, ...keys },
      { id: 'write', kind: 'load', input: 'shape', connector: 'target', object: 'out' },
    ],
  });
  const connectors = { source: { type: 'dummy', config: {} }, target: { type: 'dummy', config: {} } };
  const keeper = createKeeper();
  const given = { folder, yaml, connectors, drivers };
  const outcome = await runTask(inputOf(given), keeper.ports, { ...contextOf(given), ...context });
  return { ...outcome, out, keeper, step: outcome.steps.find(({ step_id }) => step_id === 'shape') };
}

export async function rowsOf(given: Given): Promise<readonly Row[]> {
  const made = await runOps(given);
  if (made.failure !== null) throw new Error(`${made.failure.code}: ${made.failure.message}`);
  return made.out;
}
