import type { Client } from '../../client/create-client.ts';
import type { CommandOutput } from '../kit/command-output.ts';
import { EXIT } from '../kit/exit-code.ts';
import { perform } from '../kit/perform.ts';
import { clientOf, type ServerOptions } from '../server/server-client.ts';
import { cell, durationCell, printTable, timeCell } from './cells.ts';
import { firstOf, tellMore } from './first-of.ts';
import { watchList } from './watch-list.ts';

export interface JobsOptions extends ServerOptions {
  readonly status?: 'active' | 'archived';
  /** `name:value`, or `name` whatever its value; jobs with all of them. */
  readonly label: readonly string[];
  readonly limit: number;
  readonly watch: boolean;
}

const HEALTH_IDS_MAX = 200;
const PERCENT = 100;

/** `headgate jobs`: jobs by name, with how their runs went and when the next one starts; `watch` keeps showing them. */
export async function listJobs(text: string | undefined, options: JobsOptions): Promise<number> {
  return perform(options, async (out) => {
    const api = clientOf(options);
    const show = (page: CommandOutput) => showJobs(api, text, options, page);
    if (options.watch) return watchList(out, show);
    await show(out);
    return EXIT.ok;
  });
}

async function showJobs(
  api: Client,
  text: string | undefined,
  options: JobsOptions,
  out: CommandOutput,
): Promise<void> {
  const { records, hasMore } = await firstOf(options.limit, (limit, cursor) => {
    const query = {
      limit,
      sort: 'name' as const,
      ...(cursor !== undefined && { cursor }),
      ...(text !== undefined && { q: text }),
      ...(options.status !== undefined && { status: options.status }),
      ...(options.label.length > 0 && { label: [...options.label] }),
    };
    return api.GET('/api/jobs', { params: { query } });
  });
  const healths = new Map<number, Health>();
  for (let from = 0; from < records.length; from += HEALTH_IDS_MAX) {
    const ids = records.slice(from, from + HEALTH_IDS_MAX).map(({ id }) => id);
    const { result } = await api.GET('/api/jobs/health', { params: { query: { ids: ids.join(',') } } });
    for (const health of result) healths.set(health.job_id, health);
  }
  if (out.isJson)
    out.json({ result: records.map((job) => ({ ...job, health: healths.get(job.id) ?? null })) });
  const rows = records.map(({ id, name, status }) => [
    String(id),
    cell(name),
    status,
    ...healthCells(healths.get(id)),
  ]);
  printTable(out, ['id', 'job', 'status', 'last run', 'started', 'took', 'succeeded', 'next run'], rows, {
    textColumns: 8,
    none:
      options.label.length > 0
        ? 'No job has this label.'
        : text === undefined
          ? 'There are no jobs.'
          : 'No job name matches.',
  });
  tellMore(out, hasMore);
}

interface Health {
  readonly job_id: number;
  readonly next_run_at: string | null;
  readonly success_rate: number | null;
  readonly recent: readonly {
    readonly id: number;
    readonly status: string;
    readonly created_at: string;
    readonly duration_ms: number | null;
  }[];
}

function healthCells(health: Health | undefined): readonly string[] {
  const last = health?.recent[0];
  const rate = health?.success_rate ?? null;
  return [
    last === undefined ? 'never' : `${last.id} ${last.status}`,
    timeCell(last?.created_at ?? null),
    durationCell(last?.duration_ms ?? null),
    rate === null ? '' : `${Math.round(rate * PERCENT)} %`,
    timeCell(health?.next_run_at ?? null),
  ];
}
