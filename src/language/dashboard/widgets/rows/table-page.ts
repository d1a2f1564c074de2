import { itemsOf, type PayloadInput, textOrNull } from '../payload-input.ts';
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

const NUMERIC = /^-?\d+(\.\d+)?$/;

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
  const [first, end] = whole ? [0, items.length] : [offset, Math.min(until, items.length)];
  for (let index = first; index < end; index += 1) {
    const item = items[index];
    const cells =
      asTheyAre && isItsCells(columns, item) ? item : await cellsOf(input, columns, { item, index });
    rows.push({ item, index, cells });
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
  const cellOf = ({ cells }: ShownRow) => (Number.isNaN(cells[key]) ? null : (cells[key] ?? null));
  const compare = rows.every((row) => isNumeric(cellOf(row))) ? byNumber : byKind;
  rows.sort((a, b) => {
    const [x, y] = [cellOf(a), cellOf(b)];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    const order = compare(x, y);
    return down ? -order : order;
  });
}

/** Decimals, and integers that no number holds, travel as text. */
function isNumeric(value: unknown): boolean {
  return value === null || typeof value === 'number' || (typeof value === 'string' && NUMERIC.test(value));
}

function byNumber(x: unknown, y: unknown): number {
  return Number(x) - Number(y) || byText(x, y);
}

/** Numbers before everything else. */
function byKind(x: unknown, y: unknown): number {
  const [isNumber, isOther] = [typeof x === 'number', typeof y === 'number'];
  if (isNumber && isOther) return byNumber(x, y);
  return isNumber === isOther ? byText(x, y) : isNumber ? -1 : 1;
}

function byText(x: unknown, y: unknown): number {
  return (textOrNull(x) ?? '').localeCompare(textOrNull(y) ?? '');
}
