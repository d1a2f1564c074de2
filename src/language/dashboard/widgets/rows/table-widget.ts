import { isRecord } from '../../../../base/json.ts';
import type { Rule } from '../../../declare/rules.ts';
import { shown } from '../../../declare/value.ts';
import { flag, integer, text } from '../../../declare/values.ts';
import type { PayloadInput } from '../payload-input.ts';
import { widgetKind } from '../widget-kind.ts';
import { items_expr } from '../widget-values.ts';
import { type ColumnView, columns, columnViews } from './row-columns.ts';
import { tablePage } from './table-page.ts';

const ROWS_MAX = 1_000;

interface TablePayload {
  /** `href` names the key of the row that holds the cell's link. */
  readonly columns: readonly ColumnView[];
  /** Cells, and links, by key. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
  /** True when there are more rows than are shown. */
  readonly truncated: boolean;
}

/** `sort` names one of the columns where columns are declared. */
const SORT_NAMES_COLUMN: Rule = {
  check: (reader) => {
    const sort = reader.value('sort');
    const declared = reader.value('columns');
    if (typeof sort !== 'string' || reader.check.isPlaceholder(sort) || !Array.isArray(declared)) return;
    const keys = declared.map((column) => (isRecord(column) ? column['key'] : null));
    if (!keys.includes(sort.replace(/^-/, '')))
      reader.wrong('sort', `"sort" must name a column, not "${sort}"`);
  },
  schemas: () => [],
};

export const tableWidget = widgetKind({
  type: 'table',
  words: 'A table of rows, up to a limit.',
  width: 12,
  bound: true,
  keys: {
    items_expr,
    columns,
    limit: shown(integer('Maximum rows shown.', { min: 1, max: ROWS_MAX, default: ROWS_MAX })),
    sort: shown(
      text('The column to sort by; prefix with "-" for descending. Default: the order of the data.'),
    ),
    searchable: shown(flag('Whether viewers can search the rows.')),
    export: shown(flag('Whether viewers can download the rows.')),
  },
  rules: [SORT_NAMES_COLUMN],
  payload: tablePayload,
});

/** Without `columns` they are those of the rows. Sorts by the cells, then cuts at `limit` (at most 1,000). */
async function tablePayload(input: PayloadInput): Promise<TablePayload> {
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
