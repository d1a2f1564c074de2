import { entryFile } from '../../base/program-files.ts';
import { TYPES_OF_SCHEMES } from '../../drivers/driver-loaders.ts';
import { EXECUTOR_PROCESS_LIMITS } from '../../executor/executor-limits.ts';
import { RunnerChild } from '../../executor/runner/runner-child.ts';

/**
 * A runner for one local run. It loads its code and that of the connectors that the command line names, which takes most of a short
 * run's time, while this process loads the little that it needs itself.
 */
export function startRunner(connectors: readonly string[]): RunnerChild {
  const { runnerHeapMbMax, runnerProcessMbMax, runnerSilenceMsMax } = EXECUTOR_PROCESS_LIMITS;
  const runner = new RunnerChild({
    entry: entryFile('src/commands/run/local-runner'),
    cwd: process.cwd(),
    heapMbMax: runnerHeapMbMax,
    processMbMax: runnerProcessMbMax,
    silenceMsMax: runnerSilenceMsMax,
  });
  runner.preload(connectors.map(typeNamedBy));
  return runner;
}

/** The type that `name=type:…` or `name=postgres://…` names, without loading what reads them; empty where it is in a file. */
export function typeNamedBy(connector: string): string {
  const type = /=([a-z+]+):/.exec(connector)?.[1] ?? '';
  return TYPES_OF_SCHEMES[type] ?? type;
}
