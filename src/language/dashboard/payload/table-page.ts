import { itemsOf, type PayloadInput, textOrNull } from './payload-input.ts';
import {
  addLinks,
  type ColumnConfig,
  cellsOf,
  columnsOf,
  isComputed,
  isItsCells,
  linkKeysOf,
  type ShownRow,
} from './row-columns.ts';

/** What of a table is wanted. */
export interface TableAsk {
  /** `name` ascending, `-name` descending, naming a column; null for the order of the data. */
  readonly sort: string | null;
  /** Rows in which a cell contains this text, whatever its case; null for all. */
  readonly search: string | null;
  readonly offset: number;
  readonly limit: number;
}

export interface TablePage {
  readonly columns: readonly ColumnConfig[];
  readonly linkKeys: ReadonlyMap<string, string>;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Rows that match, on all pages. */
  readonly total: number;
}

/** A part of a table's rows, with their cells and links. A sort by a column that is not there changes nothing. */
export async function tablePage(input: PayloadInput, ask: TableAsk): Promise<TablePage> {
  const items = await itemsOf(input);
  const columns = columnsOf(input, items);
  const { sort, search, offset } = ask;
  const until = offset + ask.limit;
  // Only what is shown is evaluated, but for a sort or a search, which need every cell.
  const whole = sort !== null || search !== null;
  const linkKeys = linkKeysOf(columns);
  const asTheyAre = linkKeys.size === 0 && !columns.some(isComputed);
  let rows: ShownRow[] = [];
  for (const item of whole ? items : items.slice(offset, until)) {
    const cells = asTheyAre && isItsCells(columns, item) ? item : await cellsOf(input, columns, item);
    rows.push({ item, cells });
  }
  if (search !== null) rows = rows.filter(({ cells }) => holdsText(cells, search));
  if (sort !== null) sortRows(rows, sort);
  const total = search === null ? items.length : rows.length;
  if (whole) rows = rows.slice(offset, until);
  if (linkKeys.size > 0) for (const row of rows) await addLinks(input, columns, linkKeys, row);
  return { columns, linkKeys, rows: rows.map(({ cells }) => cells), total };
}

function holdsText(cells: Readonly<Record<string, unknown>>, search: string): boolean {
  const wanted = search.toLowerCase();
  return Object.values(cells).some((cell) => textOrNull(cell)?.toLowerCase().includes(wanted));
}

/** Nothing comes last either way. */
function sortRows(rows: ShownRow[], sort: string): void {
  const down = sort.startsWith('-');
  const key = down ? sort.slice(1) : sort;
  rows.sort((a, b) => {
    const [x, y] = [a.cells[key] ?? null, b.cells[key] ?? null];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    const order = typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y));
    return down ? -order : order;
  });
}
