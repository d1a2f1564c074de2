/**
 * A job of ten empty tasks, each of which needs the one before, over the REST API of `headgate serve` with all its processes (SQLite):
 * from the POST to `ended_at`. The bar is 300 ms; there is no limit to compare with.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFirstUser } from '../src/commands/demo/first-user.ts';
import { type ApiClient, createApiClient } from '../test/support/api-client.ts';
import { measure } from './support/figure.ts';
import { nodeMemoryBelow, startServe } from './support/serve-process.ts';
import { workFolder } from './support/work-folder.ts';

const nodes = 10;
const warmUps = 3;
const pollMs = 20;
const endMsMax = 60_000;

interface JobRun {
  readonly id: number;
  readonly status: string;
  readonly created_at: string;
  readonly ended_at: string | null;
  readonly runs: readonly {
    readonly task_key: string;
    readonly created_at: string;
    readonly started_at: string;
    readonly ended_at: string;
  }[];
}

const server = await startServe(mkdtempSync(join(workFolder(), 'dag-')));

async function setUp(): Promise<{ api: ApiClient; jobId: number }> {
  const { apiKey } = await createFirstUser(server.url, server.setupToken);
  const api = createApiClient({ baseUrl: server.url, key: apiKey });
  const task = 'version: 1\nname: empty\nsteps:\n  - { id: say, kind: log, message: done }\n';
  await api.post('/api/tasks', { yaml_content: task });
  const keys = Array.from({ length: nodes }, (_, index) => `n${index}`);
  const dag = keys.map((key, index) =>
    index === 0 ? `  ${key}: { task: empty }` : `  ${key}: { task: empty, needs: [n${index - 1}] }`,
  );
  const yaml_content = `version: 1\nname: chain\ntasks:\n${dag.join('\n')}\n`;
  const template = await api.post<{ id: number }>('/api/job-templates', { name: 'chain', yaml_content });
  const job = await api.post<{ id: number }>(`/api/job-templates/${template.id}/jobs`, {
    name: 'chain',
    connector_mapping: {},
  });
  return { api, jobId: job.id };
}

async function runOnce(api: ApiClient, jobId: number): Promise<number> {
  const deadline = performance.now() + endMsMax;
  const postedAt = Date.now();
  const { id } = await api.post<{ id: number }>(`/api/jobs/${jobId}/runs`);
  while (performance.now() < deadline) {
    // Asking costs the server time: less often while it works.
    await sleep(pollMs * 10);
    const run = await api.get<JobRun>(`/api/job-runs/${id}`);
    if (run.ended_at === null) continue;
    if (run.status !== 'success') throw new Error(`The job run ended as ${run.status}`);
    if (process.argv.includes('--times')) show(run, postedAt);
    return Date.parse(run.ended_at) - postedAt;
  }
  throw new Error('The job run did not end');
}

/** `--times`: when each task was queued, started and ended, in milliseconds since the POST. */
function show(run: JobRun, postedAt: number): void {
  for (const { task_key, created_at, started_at, ended_at } of run.runs)
    console.error(task_key, ...[created_at, started_at, ended_at].map((at) => Date.parse(at) - postedAt));
}

try {
  const { api, jobId } = await setUp();
  for (let index = 0; index < warmUps; index++) await runOnce(api, jobId);
  await measure({
    name: 'dag-10-empty-tasks',
    unit: 'ms',
    rounds: 5,
    product: () => runOnce(api, jobId),
    limit: null,
    rssMb: () => nodeMemoryBelow(server.pid),
  });
} finally {
  await server.stop();
}
