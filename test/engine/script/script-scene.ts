import type { Row } from '../../../src/drivers/driver.ts';
import { runTask } from '../../../src/engine/run-task.ts';
import type { ScriptAccess } from '../../../src/language/task/steps/script/script-access.ts';
import { findProgram } from '../../support/find-program.ts';
import { contextOf, createKeeper, driversWith, inputOf, type Keeper } from '../support/task-run.ts';

export const PYTHON = findProgram(process.env['SVC_SCRIPT_PYTHON'], ['python3']);

export interface Scripted {
  readonly code: string;
  /** Rows of the source, in batches of two. */
  readonly rows: readonly Row[];
  /** Further keys of the step. */
  readonly keys?: Readonly<Record<string, unknown>>;
  /** Null: scripts are switched off. */
  readonly access?: Partial<ScriptAccess> | null;
  /** What connectors and steps may reach besides. */
  readonly context?: { readonly forbiddenFiles?: readonly string[] };
  readonly signal?: AbortSignal;
  readonly keeper?: Keeper;
}

/** Runs a task that reads the rows, hands them to the script, and keeps what comes of them. */
export async function scripted({
  code,
  rows,
  keys = {},
  access = {},
  context: further = {},
  signal,
  keeper = createKeeper(),
}: Scripted) {
  const written: Row[] = [];
  const columns: string[] = [];
  const drivers = driversWith('dummy', (connection) => ({
    ...connection,
    read: async function* () {
      const names = Object.keys(rows[0] ?? {}).map(
        (name) => ({ name, type: 'unknown', nullable: true }) as const,
      );
      for (let at = 0; at < rows.length; at += 2) yield { columns: names, rows: rows.slice(at, at + 2) };
    },
    openWriter: async () => ({
      alreadyDone: null,
      write: async (batch) => {
        columns.splice(0, columns.length, ...batch.columns.map(({ name, type }) => `${name}: ${type}`));
        written.push(...batch.rows);
      },
      commit: async () => ({ rows: written.length }),
      abort: async () => undefined,
    }),
  }));
  const step = { id: 'change', kind: 'script', input: 'read', code, batch: { size: 2 }, ...keys };
  const yaml = JSON.stringify({
    version: 1,
    name: 'scripted',
    connectors: { source: { type: 'dummy' }, target: { type: 'dummy' } },
    steps: [
      { id: 'read', kind: 'extract', connector: 'source', method: 'list' },
      step,
      { id: 'write', kind: 'load', input: 'change', connector: 'target', object: 'out' },
    ],
  });
  const connectors = { source: { type: 'dummy', config: {} }, target: { type: 'dummy', config: {} } };
  const run = { folder: '/', yaml, connectors, drivers, ...(signal && { signal }) };
  const context = contextOf(run);
  const scripts = access === null ? undefined : { python: PYTHON, memoryMb: 256, ...access };
  const connectContext = { ...context.connectContext, ...further, scripts };
  const outcome = await runTask(inputOf(run), keeper.ports, { ...context, connectContext });
  return {
    ...outcome,
    written,
    columns,
    keeper,
    step: outcome.steps.find(({ step_id }) => step_id === 'change'),
  };
}
