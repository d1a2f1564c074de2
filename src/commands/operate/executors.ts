import type { Client } from '../../client/create-client.ts';
import type { components } from '../../client/openapi-types.ts';
import type { CommandOutput } from '../kit/command-output.ts';
import { EXIT } from '../kit/exit-code.ts';
import { perform } from '../kit/perform.ts';
import { clientOf, type ServerOptions } from '../server/server-client.ts';
import { cell, durationCell, printTable, timeCell } from './cells.ts';
import { executorIdOf } from './find-by-name.ts';
import { firstOf, tellMore } from './first-of.ts';
import { watchList } from './watch-list.ts';

type Executor = components['schemas']['Executor'];

export interface ExecutorsOptions extends ServerOptions {
  /** Also those that have left. */
  readonly all: boolean;
  readonly watch: boolean;
}

/** `headgate executors`: those that are there, last seen first, with what they run; `watch` keeps showing them. */
export async function listExecutors(options: ExecutorsOptions): Promise<number> {
  return perform(options, async (out) => {
    const api = clientOf(options);
    const show = (page: CommandOutput) => showExecutors(api, options, page);
    if (options.watch) return watchList(out, show);
    await show(out);
    return EXIT.ok;
  });
}

async function showExecutors(api: Client, { all }: ExecutorsOptions, out: CommandOutput): Promise<void> {
  const { result } = await api.GET('/api/server/executors');
  const shown = result.filter(({ status }) => all || status !== 'gone');
  if (out.isJson) out.json({ result: shown });
  const rows = shown.map(({ id, name, status, running, slots, version, labels, last_seen_at }) => [
    String(id),
    cell(name),
    status,
    `${running} of ${slots}`,
    version,
    cell(labelsOf(labels)),
    timeCell(last_seen_at),
  ]);
  printTable(out, ['id', 'executor', 'status', 'runs', 'version', 'labels', 'last seen'], rows, {
    textColumns: 7,
    none: 'No executor is registered, so no run can start.',
  });
}

function labelsOf(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
}

/** `headgate executors drain`: it gets no more runs and finishes what it has. */
export async function drainExecutor(executor: string, options: ServerOptions): Promise<number> {
  return changeExecutor(executor, options, (api, id) =>
    api.POST('/api/server/executors/{id}/drain', { params: { path: { id } } }),
  );
}

/** `headgate executors resume`: it gets runs again. */
export async function resumeExecutor(executor: string, options: ServerOptions): Promise<number> {
  return changeExecutor(executor, options, (api, id) =>
    api.POST('/api/server/executors/{id}/resume', { params: { path: { id } } }),
  );
}

async function changeExecutor(
  executor: string,
  options: ServerOptions,
  change: (api: Client, id: number) => Promise<Executor>,
): Promise<number> {
  return perform(options, async (out) => {
    const api = clientOf(options);
    const changed = await change(api, await executorIdOf(api, executor));
    if (out.isJson) out.json(changed);
    const { id, name, status, running } = changed;
    const left = running === 1 ? '1 run' : `${running} runs`;
    const rest = status === 'draining' ? `, and still has ${left}` : '';
    out.line(`Executor ${id} (${cell(name)}) is ${status}${rest}.`);
    return EXIT.ok;
  });
}

export interface QueueOptions extends ServerOptions {
  readonly limit: number;
  readonly watch: boolean;
}

/** `headgate queue`: runs that wait for an executor, oldest first, and why. */
export async function listQueue(options: QueueOptions): Promise<number> {
  return perform(options, async (out) => {
    const api = clientOf(options);
    const show = (page: CommandOutput) => showQueue(api, options, page);
    if (options.watch) return watchList(out, show);
    await show(out);
    return EXIT.ok;
  });
}

async function showQueue(api: Client, { limit: most }: QueueOptions, out: CommandOutput): Promise<void> {
  const { records, hasMore } = await firstOf(most, (limit, cursor) => {
    const query = { limit, ...(cursor !== undefined && { cursor }) };
    return api.GET('/api/server/queue', { params: { query } });
  });
  if (out.isJson) out.json({ result: records });
  const now = Date.now();
  const rows = records.map(({ id, task_name, job_name, priority, available_at, why, message }) => [
    String(id),
    cell(task_name),
    cell(job_name),
    String(priority),
    why === 'delayed' ? '' : durationCell(Math.max(0, now - Date.parse(available_at))),
    message,
  ]);
  printTable(out, ['run', 'task', 'job', 'priority', 'waits', 'why'], rows, {
    textColumns: 6,
    none: 'No run is waiting.',
  });
  tellMore(out, hasMore);
}
