import type { Client } from '../../../client/create-client.ts';
import { EXIT } from '../../kit/exit-code.ts';
import { perform } from '../../kit/perform.ts';
import { clientOf, type ServerOptions } from '../../server/server-client.ts';
import { cell, printTable, timeCell } from '../cells.ts';
import { jobIdOf } from '../find-by-name.ts';
import { firstOf, tellMore } from '../first-of.ts';

export const LETTER_STATUSES = ['open', 'replaying', 'replayed', 'discarded'] as const;

export interface Whose extends ServerOptions {
  /** Id or name. */
  readonly job?: string;
  readonly run?: number;
  readonly code?: string;
}

export interface ListLettersOptions extends Whose {
  readonly status: (typeof LETTER_STATUSES)[number];
  readonly reasons: boolean;
  readonly limit: number;
}

/** `headgate dead-letters`: the newest rows that failed, or with `reasons` how many for which reason. */
export async function listLetters(options: ListLettersOptions): Promise<number> {
  return perform(options, async (out) => {
    const api = clientOf(options);
    const whose = await ownerOf(api, options);
    if (options.reasons) {
      const { result } = await api.GET('/api/dead-letters/reasons', { params: { query: whose } });
      if (out.isJson) out.json({ result });
      const rows = result.map(({ job_id, job_name, run_id, code, open, message, newest_at }) => [
        job_id === null ? `run ${run_id}` : `${job_id} ${cell(job_name)}`,
        cell(code),
        timeCell(newest_at),
        cell(message),
        String(open),
      ]);
      printTable(out, ['job', 'reason', 'newest', 'its message', 'open'], rows, {
        textColumns: 4,
        none: 'There are no open dead letters.',
      });
      return EXIT.ok;
    }
    const { code, status } = options;
    const { records, hasMore } = await firstOf(options.limit, (limit, cursor) => {
      const query = {
        ...whose,
        status,
        limit,
        ...(cursor !== undefined && { cursor }),
        ...(code !== undefined && { code }),
      };
      return api.GET('/api/dead-letters', { params: { query } });
    });
    if (out.isJson) out.json({ result: records });
    const rows = records.map((letter) => [
      String(letter.id),
      String(letter.run_id),
      cell(letter.job_name ?? letter.run_task_name),
      cell(letter.step_id),
      cell(letter.code),
      cell(originText(letter.origin)),
      cell(letter.message),
    ]);
    printTable(out, ['id', 'run', 'job', 'step', 'reason', 'from', 'message'], rows, {
      textColumns: 7,
      none: `There are no ${status} dead letters.`,
    });
    tellMore(out, hasMore);
    return EXIT.ok;
  });
}

/** Of a job or a run; of all where it names none. */
export interface Owner {
  readonly job_id?: number;
  readonly run_id?: number;
}

/** What the options name, by its id. */
export async function ownerOf(api: Client, { job, run }: Whose): Promise<Owner> {
  return {
    ...(job !== undefined && { job_id: await jobIdOf(api, job) }),
    ...(run !== undefined && { run_id: run }),
  };
}

/** Where a row came from: `orders.csv line 3`. */
export function originText(origin: Readonly<Record<string, unknown>> | null): string {
  if (origin === null) return '';
  const { file, line, record, ...rest } = origin;
  const place = [
    file,
    line === undefined ? null : `line ${line}`,
    record === undefined ? null : `record ${record}`,
  ];
  const others = Object.entries(rest).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return [...place.filter((part) => part !== null && part !== undefined), ...others].join(' ');
}
