import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../../src/base/clock.ts';
import type {
  DeadLetter,
  Metric,
  ReplayRow,
  RunOutcome,
  StepProgress,
} from '../../../src/base/run-report.ts';
import {
  type ConnectContext,
  type Connection,
  ConnectorError,
  type Driver,
} from '../../../src/drivers/driver.ts';
import type { RunInput, RunPorts } from '../../../src/engine/run.ts';
import type { RunContext } from '../../../src/engine/run-context.ts';
import { runTask } from '../../../src/engine/run-task.ts';
import { parseTask } from '../../../src/language/task/parse-task.ts';
import type { ScriptAccess } from '../../../src/language/task/steps/script/script-access.ts';
import { allDrivers } from '../../support/all-drivers.ts';

export interface LogLine {
  readonly level: string;
  readonly step_id: string;
  readonly message: string;
}

/** What a control plane keeps of runs: it outlives them, as checkpoints do. */
export interface Keeper {
  readonly logs: LogLine[];
  readonly letters: DeadLetter[];
  readonly metrics: Metric[];
  readonly progress: StepProgress[];
  readonly checkpoints: Map<string, { value: unknown; version: number }>;
  /** Rows of a replay, by their letters. */
  readonly replayed: ReplayRow[];
  readonly ports: RunPorts;
}

const REPLAY_PAGE = 2;

export function createKeeper(): Keeper {
  const logs: LogLine[] = [];
  const letters: DeadLetter[] = [];
  const metrics: Metric[] = [];
  const progress: StepProgress[] = [];
  const checkpoints = new Map<string, { value: unknown; version: number }>();
  const replayed: ReplayRow[] = [];
  const ports: RunPorts = {
    log: (level, stepId, message) => logs.push({ level, step_id: stepId, message }),
    progress: (told) => progress.push(told),
    metric: (metric) => metrics.push(metric),
    deadLetters: async (items) => {
      await wait(1);
      letters.push(...items);
    },
    checkpoint: async (name) => checkpoints.get(name) ?? { value: null, version: 0 },
    saveCheckpoint: async (name, value, expectedVersion) => {
      const version = checkpoints.get(name)?.version ?? 0;
      if (version !== expectedVersion) return { version, stored: false };
      checkpoints.set(name, { value, version: version + 1 });
      return { version: version + 1, stored: true };
    },
    replayRows: async (after) => replayed.filter(({ letter_id }) => letter_id > after).slice(0, REPLAY_PAGE),
  };
  return { logs, letters, metrics, progress, checkpoints, replayed, ports };
}

export type Connectors = Readonly<Record<string, { readonly type: string; readonly config: unknown }>>;

export interface TaskRun {
  readonly folder: string;
  readonly yaml: string;
  readonly connectors: Connectors;
  readonly input?: Partial<RunInput>;
  readonly keeper?: Keeper;
  readonly signal?: AbortSignal;
  readonly drivers?: RunContext['drivers'];
  /** Absent: scripts are switched off. */
  readonly scripts?: ScriptAccess;
  readonly plugins?: ConnectContext['plugins'];
  /** Absent: none may be used. */
  readonly spillFolder?: string | null;
}

export function inputOf({ yaml, connectors, input }: TaskRun): RunInput {
  const named = Object.entries(connectors).map(([name, given]) => [
    name,
    { name: `saved ${name}`, ...given },
  ]);
  return {
    parsed: parseTask(yaml),
    args: {},
    jobConfig: {},
    connectors: Object.fromEntries(named),
    run: { id: 7, attempt: 1 },
    timeoutMs: 0,
    ...input,
  };
}

export function contextOf({
  folder,
  signal,
  drivers,
  scripts,
  plugins,
  spillFolder = null,
}: TaskRun): RunContext {
  return {
    spillFolder,
    drivers: drivers ?? allDrivers,
    connectContext: {
      fileRoots: [folder],
      forbiddenFiles: [],
      connectTimeoutMs: 5_000,
      plugins,
      outbound: { policy: 'allowlist', allow: ['127.0.0.1'], ownPorts: [] },
      ...(scripts && { scripts }),
    },
    clock: systemClock,
    random: () => 0.5,
    signal: signal ?? new AbortController().signal,
  };
}

export async function runYaml(run: TaskRun): Promise<RunOutcome & { readonly keeper: Keeper }> {
  const keeper = run.keeper ?? createKeeper();
  const context = contextOf(run);
  const { drivers, closed } = watchTarget(context.drivers);
  const outcome = await runTask(inputOf(run), keeper.ports, { ...context, drivers });
  await closed();
  return { ...outcome, keeper };
}

/** A run that is out of time or cancelled does not wait for its target, which may still open a file that the test is about to remove. */
function watchTarget(drivers: RunContext['drivers']) {
  const closing: Promise<void>[] = [];
  const watched = (driver: Driver): Driver => ({
    ...driver,
    async connect(config, context) {
      const { promise, resolve } = Promise.withResolvers<void>();
      closing.push(promise);
      try {
        const connection = await driver.connect(config, context);
        const close = () => connection.close().finally(resolve);
        return { ...connection, close };
      } catch (error) {
        resolve();
        throw error;
      }
    },
  });
  const get = (type: string) => {
    const driver = drivers.get(type);
    return type === 'sqlite' && driver !== undefined ? watched(driver) : driver;
  };
  return { drivers: { get }, closed: () => Promise.all(closing) };
}

export function rowsOf(file: string, sql: string): Record<string, unknown>[] {
  const db = new DatabaseSync(file);
  try {
    return db
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    db.close();
  }
}

/** The drivers with one of them changed: its connections pass through `change`. */
export function driversWith(
  type: string,
  change: (connection: Connection, count: number) => Connection,
): RunContext['drivers'] {
  const drivers = allDrivers;
  const plain = drivers.get(type);
  if (plain === undefined) throw new Error(`No driver "${type}"`);
  let count = 0;
  const changed: Driver = {
    ...plain,
    connect: async (config, context) => change(await plain.connect(config, context), ++count),
  };
  return { get: (name) => (name === type ? changed : drivers.get(name)) };
}

/** A connector that cannot be reached the first `failures` times. */
export function flaky(type: string, failures: number, retryAfterMs?: number): RunContext['drivers'] {
  return driversWith(type, (connection, count) => {
    if (count > failures) return connection;
    const options = retryAfterMs === undefined ? {} : { retryAfterMs };
    throw new ConnectorError('UNAVAILABLE', `The service is away (${count})`, options);
  });
}
