import { eachRecord, type Page } from '../../client/create-client.ts';
import type { CommandOutput } from '../kit/command-output.ts';

const PAGE_RECORDS_MAX = 200;

/** The first records of a list, page after page, and whether there are more. */
export async function firstOf<T>(
  count: number,
  page: (limit: number, cursor: string | undefined) => Promise<Page<T>>,
): Promise<{ readonly records: readonly T[]; readonly hasMore: boolean }> {
  const records: T[] = [];
  for await (const record of eachRecord((cursor) => page(Math.min(count + 1, PAGE_RECORDS_MAX), cursor))) {
    if (records.length === count) return { records, hasMore: true };
    records.push(record);
  }
  return { records, hasMore: false };
}

export function tellMore(out: CommandOutput, hasMore: boolean): void {
  if (hasMore && !out.isJson) out.error('More exist: see --limit');
}
