import { systemClock } from '../../src/base/clock.ts';
import type { ConnectContext } from '../../src/drivers/driver.ts';
import type { RunInput, RunPorts } from '../../src/engine/run.ts';
import { runTask } from '../../src/engine/run-task.ts';
import { parseTask } from '../../src/language/task/parse-task.ts';
import { allDrivers } from '../../test/support/all-drivers.ts';

export interface Pipeline {
  readonly yaml: string;
  readonly connectors: RunInput['connectors'];
  readonly fileRoots: readonly string[];
  /** Programs that its connectors start; none where absent. */
  readonly plugins?: ConnectContext['plugins'];
  readonly rows: number;
  /** New for each run: a connector takes the load of a run only once. */
  readonly runId: number;
}

const ports: RunPorts = {
  log: () => undefined,
  progress: () => undefined,
  metric: () => undefined,
  deadLetters: async () => undefined,
  replayRows: async () => [],
  checkpoint: async () => ({ value: null, version: 0 }),
  saveCheckpoint: async (_name, _value, version) => ({ version: version + 1, stored: true }),
};

/** Runs a task in the engine, as an executor does, and throws where it did not move exactly `rows`. */
export async function runPipeline({ yaml, connectors, fileRoots, rows, runId }: Pipeline): Promise<void> {
  const outcome = await runTask(
    {
      parsed: parseTask(yaml),
      args: {},
      jobConfig: {},
      connectors,
      run: { id: runId, attempt: 1 },
      timeoutMs: 0,
    },
    ports,
    {
      drivers: allDrivers,
      connectContext: {
        fileRoots,
        forbiddenFiles: [],
        connectTimeoutMs: 10_000,
        outbound: { policy: 'block-metadata', allow: ['127.0.0.0/8'], ownPorts: [] },
        scripts: { python: null, memoryMb: 256 },
      },
      clock: systemClock,
      random: Math.random,
      signal: new AbortController().signal,
    },
  );
  if (outcome.status !== 'success' || outcome.rows_out !== rows)
    throw new Error(`${outcome.status}, ${outcome.rows_out} rows: ${outcome.failure?.message ?? ''}`);
}
