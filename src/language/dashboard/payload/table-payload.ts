import type { PayloadInput } from './payload-input.ts';
import { type ColumnView, columnViews } from './row-columns.ts';
import { tablePage } from './table-page.ts';

const ROWS_MAX = 1_000;

export interface TablePayload {
  /** `href` names the key of the row that holds the cell's link. */
  readonly columns: readonly ColumnView[];
  /** Cells, and links, by key. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
  /** True when there are more rows than are shown. */
  readonly truncated: boolean;
}

/** Without `columns` they are those of the rows. Sorts by the cells, then cuts at `limit` (at most 1,000). */
export async function tablePayload(input: PayloadInput): Promise<TablePayload> {
  const { columns, linkKeys, rows, total } = await tablePage(input, {
    sort: authorSort(input.config),
    search: null,
    offset: 0,
    limit: tableLimit(input.config) ?? ROWS_MAX,
  });
  return { columns: columnViews(columns, linkKeys), rows, total, truncated: total > rows.length };
}

export function authorSort(config: PayloadInput['config']): string | null {
  return typeof config['sort'] === 'string' ? config['sort'] : null;
}

function tableLimit(config: PayloadInput['config']): number | null {
  return typeof config['limit'] === 'number' ? Math.min(config['limit'], ROWS_MAX) : null;
}
