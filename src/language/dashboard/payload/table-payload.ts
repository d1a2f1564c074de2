import { isRecord } from '../../../base/json.ts';
import { isSafeHref } from '../safe-href.ts';
import { evaluateKey, fieldOf, itemsOf, type PayloadInput, recordsOf, textOrNull } from './payload-input.ts';

const ROWS_MAX = 1_000;
const COLUMNS_MAX = 200;

export interface TablePayload {
  /** `href` names the key of the row that holds the cell's link. */
  readonly columns: readonly Readonly<Record<string, unknown>>[];
  /** Cells, and links, by key. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
  /** True when there are more rows than are shown. */
  readonly truncated: boolean;
}

type ColumnConfig = Readonly<Record<string, unknown>> & { readonly key: string };

/** Without `columns` they are those of the rows. Sorts by the cells, then cuts at `limit` (at most 1,000). */
export async function tablePayload(input: PayloadInput): Promise<TablePayload> {
  const items = await itemsOf(input);
  const columns = columnsOf(input, items);
  const limit =
    typeof input.config['limit'] === 'number' ? Math.min(input.config['limit'], ROWS_MAX) : ROWS_MAX;
  const sort = typeof input.config['sort'] === 'string' ? input.config['sort'] : null;
  // Only what is shown is evaluated, but for a sort, which needs every cell.
  const read = [];
  for (const item of sort === null ? items.slice(0, limit) : items) {
    read.push({ item, cells: await cellsOf(input, columns, item) });
  }
  if (sort !== null) sortRows(read, sort);
  const shown = read.slice(0, limit);
  const linkKeys = linkKeysOf(columns);
  for (const row of shown) await addLinks(input, columns, linkKeys, row);
  return {
    columns: columns.map(({ key, label, format, align, badge }) => ({
      key,
      label: label ?? key,
      format: format ?? null,
      align: align ?? null,
      badge: badge ?? null,
      href: linkKeys.get(key) ?? null,
    })),
    rows: shown.map((row) => row.cells),
    total: items.length,
    truncated: items.length > shown.length,
  };
}

function columnsOf(input: PayloadInput, items: readonly unknown[]): readonly ColumnConfig[] {
  const declared = recordsOf(input.config['columns']).filter((column): column is ColumnConfig => {
    return typeof column['key'] === 'string';
  });
  if (declared.length > 0) return declared;
  const first = items.find(isRecord);
  if (first === undefined) return items.length === 0 ? [] : [{ key: 'value', value_expr: 'item' }];
  return Object.keys(first)
    .slice(0, COLUMNS_MAX)
    .map((key) => ({ key }));
}

async function cellsOf(
  input: PayloadInput,
  columns: readonly ColumnConfig[],
  item: unknown,
): Promise<Record<string, unknown>> {
  const cells: Record<string, unknown> = {};
  for (const column of columns) {
    const value =
      'value_expr' in column
        ? await evaluateKey(input, 'value_expr', { item }, column)
        : fieldOf(item, column.key);
    cells[column.key] = value ?? null;
  }
  return cells;
}

/** For each column with `href_expr`, a key of the row that no column has. */
function linkKeysOf(columns: readonly ColumnConfig[]): ReadonlyMap<string, string> {
  const taken = new Set(columns.map(({ key }) => key));
  const keys = new Map<string, string>();
  for (const column of columns) {
    if (!('href_expr' in column)) continue;
    let key = `${column.key}_href`;
    while (taken.has(key)) key += '_';
    taken.add(key);
    keys.set(column.key, key);
  }
  return keys;
}

async function addLinks(
  input: PayloadInput,
  columns: readonly ColumnConfig[],
  linkKeys: ReadonlyMap<string, string>,
  row: { readonly item: unknown; readonly cells: Record<string, unknown> },
): Promise<void> {
  for (const column of columns) {
    const key = linkKeys.get(column.key);
    if (key === undefined) continue;
    const names = { item: row.item, value: row.cells[column.key] };
    const link = textOrNull(await evaluateKey(input, 'href_expr', names, column));
    row.cells[key] = link !== null && isSafeHref(link) ? link : null;
  }
}

/** `name` ascending, `-name` descending; nothing comes last either way. */
function sortRows(rows: { cells: Record<string, unknown> }[], sort: string): void {
  const down = sort.startsWith('-');
  const key = down ? sort.slice(1) : sort;
  rows.sort((a, b) => {
    const [x, y] = [a.cells[key] ?? null, b.cells[key] ?? null];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    const order = typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y));
    return down ? -order : order;
  });
}
