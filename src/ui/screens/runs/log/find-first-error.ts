import type { Client } from '../../../../client/create-client.ts';
import type { LogPlace } from './log-line.ts';

/** The first line of a log that is an error; null where there is none. One page may look at a part of the log only. */
export async function findFirstError(api: Client, id: number): Promise<LogPlace | null> {
  for (let after_seq: string | null = '0.0'; after_seq !== null; ) {
    const query = { level: 'error', limit: 1, after_seq } as const;
    const page: { result: LogPlace[]; next_cursor: string | null } = await api.GET('/api/runs/{id}/logs', {
      params: { path: { id }, query },
    });
    const [first] = page.result;
    if (first !== undefined) return first;
    after_seq = page.next_cursor;
  }
  return null;
}
