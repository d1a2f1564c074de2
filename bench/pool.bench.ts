/**
 * The lightest task (`job_key` of a small template) through the worker host: tasks a second with 64 in flight, and the median of one
 * at a time. Limit: the same function in one thread of a bare Piscina, without a process between.
 */

import { join } from 'node:path';
import pMap from 'p-map';
import { Piscina } from 'piscina';
import { silentLogger } from '../src/base/logger.ts';
import { createWorkerPool } from '../src/threads/pool.ts';
import type { JobKeyInput, jobKey } from './support/bare-job-key.ts';
import { measure, median, secondsOf } from './support/figure.ts';
import { memoryBelow } from './support/serve-process.ts';

const tasks = 20_000;
const inFlight = 64;
const singles = 2_000;
const input: JobKeyInput = {
  templateYaml:
    'version: 1\nname: keyed\ntasks: { say: { task: hello } }\nconcurrency: { limit: 1, key_expr: args.tenant }\n',
  scope: { args: { tenant: 'acme' } },
};
const each = Array.from({ length: tasks }, (_, index) => index);

const data = { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 2_000 };
const pool = createWorkerPool({ logger: silentLogger, threads: 2, data });
await pool.ready();
const bare = new Piscina<JobKeyInput, Awaited<ReturnType<typeof jobKey>>>({
  filename: join(import.meta.dirname, 'support/bare-job-key.ts'),
  name: 'jobKey',
  minThreads: 1,
  maxThreads: 1,
  concurrentTasksPerWorker: 8,
  atomics: 'disabled',
  recordTiming: false,
});

async function byHost(): Promise<void> {
  const answer = await pool.run({ kind: 'job_key', input });
  if (!answer.ok || answer.key !== '"acme"') throw new Error(JSON.stringify(answer));
}
async function byThread(): Promise<void> {
  const text = await bare.run(input);
  if (text !== '{"ok":true,"key":"\\"acme\\""}') throw new Error(text);
}

async function tasksPerSecond(task: () => Promise<void>): Promise<number> {
  return tasks / (await secondsOf(() => pMap(each, task, { concurrency: inFlight })));
}

async function medianMs(task: () => Promise<void>): Promise<number> {
  const taken: number[] = [];
  for (let index = 0; index < singles; index++) {
    const began = performance.now();
    await task();
    taken.push(performance.now() - began);
  }
  return median(taken);
}

try {
  await tasksPerSecond(byHost);
  await tasksPerSecond(byThread);
  const rssMb = () => memoryBelow(pool.stats().hostPid ?? process.pid)[0]?.rssMb ?? 0;
  await measure({
    name: 'pool-tasks',
    unit: 'tasks/s',
    product: () => tasksPerSecond(byHost),
    limit: () => tasksPerSecond(byThread),
    rssMb,
  });
  await measure({
    name: 'pool-task-p50',
    unit: 'ms',
    product: () => medianMs(byHost),
    limit: () => medianMs(byThread),
    rssMb,
  });
} finally {
  await pool.stop();
  await bare.destroy();
}
