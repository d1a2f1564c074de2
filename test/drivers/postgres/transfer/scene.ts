import pg from 'pg';
import { runTask } from '../../../../src/engine/run-task.ts';
import { contextOf, createKeeper, inputOf } from '../../../engine/support/task-run.ts';
import { createDatabase } from '../../../support/postgres.ts';

/** Two databases, and tasks that take rows from the one into the other. */
export interface Scene {
  readonly urls: { readonly source: string; readonly target: string };
  source(sql: string): Promise<readonly Record<string, unknown>[]>;
  target(sql: string): Promise<readonly Record<string, unknown>[]>;
  run(taken: Taken): Promise<Loaded>;
}

export interface Taken {
  /** Default: the table `t`. */
  readonly sql?: string;
  readonly keys: string;
  readonly runId?: number;
  readonly signal?: AbortSignal;
  readonly onRows?: (rows: number) => void;
}

export interface Loaded {
  readonly status: string;
  readonly failure: string;
  /** The rows went from server to server. */
  readonly isCopied: boolean;
  readonly counts: readonly (readonly [step: string, rowsIn: number, rowsOut: number])[];
  readonly letters: number;
}

export async function openScene(t: { teardown(fn: () => unknown): void; testdir(): string }): Promise<Scene> {
  const databases = [await createDatabase(t), await createDatabase(t)];
  const [source, target] = databases.map(({ url }) => new pg.Client({ connectionString: url })) as [
    pg.Client,
    pg.Client,
  ];
  for (const client of [source, target]) client.on('error', () => undefined);
  await Promise.all([source.connect(), target.connect()]);
  t.teardown(() => Promise.all([source.end(), target.end()]));
  const urls = { source: databases[0]?.url ?? '', target: databases[1]?.url ?? '' };
  const folder = t.testdir();
  let runs = 0;
  return {
    urls,
    source: async (sql) => (await source.query(sql)).rows,
    target: async (sql) => (await target.query(sql)).rows,
    run: async ({ sql, keys, runId = ++runs, signal, onRows }) => {
      const yaml = taskOf(sql, keys);
      const connectors = {
        source: { type: 'postgres', config: { url: urls.source } },
        target: { type: 'postgres', config: { url: urls.target } },
      };
      const keeper = createKeeper();
      const input = inputOf({ folder, yaml, connectors, input: { run: { id: runId, attempt: 1 } } });
      const ports = {
        ...keeper.ports,
        progress: (told: Parameters<typeof keeper.ports.progress>[0]) => {
          if (told.step_id === 'write') onRows?.(told.rows_in);
        },
      };
      const outcome = await runTask(
        input,
        ports,
        contextOf({ folder, yaml, connectors, ...(signal && { signal }) }),
      );
      return {
        status: outcome.status,
        failure: outcome.failure?.message ?? '',
        isCopied: keeper.logs.some(({ message }) => /as the source's database wrote them/.test(message)),
        counts: outcome.steps.map(({ step_id, rows_in, rows_out }) => [step_id, rows_in, rows_out] as const),
        letters: keeper.letters.length,
      };
    },
  };
}

export function taskOf(sql: string | undefined, keys: string): string {
  const args =
    sql === undefined
      ? 'method: list, args: { table: t }'
      : `method: query, args: { sql: ${JSON.stringify(sql)} }`;
  return `
version: 1
name: copy
connectors: { source: {type: postgres}, target: {type: postgres} }
steps:
  - { id: read, kind: extract, connector: source, ${args} }
  - { id: write, kind: load, input: read, connector: target, object: t, ${keys} }
`;
}
