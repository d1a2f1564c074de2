import { isRecord } from '../../../../base/json.ts';
import { expression } from '../../../declare/expressions.ts';
import { listOf, map } from '../../../declare/map.ts';
import { shown, special } from '../../../declare/value.ts';
import { field, oneOf, text } from '../../../declare/values.ts';
import { type MapReader, typeName } from '../../../yaml/map-reader.ts';
import { DATA_ITEM_NAMES } from '../../../yaml/scope-names.ts';
import { safeHrefOf } from '../../safe-href.ts';
import { evaluateKey, fieldOf, type PayloadInput, recordsOf } from '../payload-input.ts';
import { decimals, format, ITEMS_MAX, LEVELS, overItem } from '../widget-values.ts';

const COLUMNS_MAX = 200;
/** Rows that decide which columns there are, where nobody has named them. */
const SAMPLED_ROWS_MAX = 1_000;

const BADGE_LEVELS: readonly unknown[] = [...LEVELS, 'neutral'];

const COLUMN = map('A column.', {
  key: shown(field('The field of the row, and the name of the column.', { required: true })),
  label: shown(text('The heading of the column. Default: the key.')),
  value_expr: overItem('The cell of an `item`. Default: the field of this key.'),
  format,
  decimals,
  align: shown(
    oneOf('Alignment of the cells. Default: numbers right, others left.', ['left', 'center', 'right']),
  ),
  href_expr: expression('The link target of the cell, which is `value`.', [...DATA_ITEM_NAMES, 'value']),
  badge: special(
    'Shows the cell as a badge: `true`, or a map from cell text to level.',
    {
      anyOf: [{ type: 'boolean' }, { type: 'object', additionalProperties: { enum: BADGE_LEVELS } }],
    },
    checkBadge,
  ),
});

/** The columns of a table or an explorer. */
export const columns = listOf('The columns. Default: those of the rows.', COLUMN, {
  max: ITEMS_MAX,
  distinct: ['key', 'key'],
});

function checkBadge(reader: MapReader, key: string): void {
  const badge = reader.value(key);
  if (badge === null || typeof badge === 'boolean') return;
  if (!isRecord(badge)) {
    reader.wrong(key, `"${key}" must be true, false or a map from text to level, not ${typeName(badge)}`);
    return;
  }
  for (const [text, level] of Object.entries(badge)) {
    if (!BADGE_LEVELS.includes(level))
      reader.check.add(reader.at(key, text), `A badge's level must be one of ${BADGE_LEVELS.join(', ')}`);
  }
}

/** A column of a table or an explorer as its author wrote it. */
export type ColumnConfig = Readonly<Record<string, unknown>> & { readonly key: string };

/** A column as a viewer sees it: `key, label, format, decimals, align, badge, href`, and `type` where types are known. */
export type ColumnView = Readonly<Record<string, unknown>>;

/** An item with what is shown of it: cells, and links, by key. */
export interface ShownRow {
  readonly item: unknown;
  /** Its place in the data, from 0. */
  readonly index: number;
  readonly cells: Record<string, unknown>;
}

export function declaredColumns(config: PayloadInput['config']): readonly ColumnConfig[] {
  return recordsOf(config['columns']).filter((column): column is ColumnConfig => {
    return typeof column['key'] === 'string';
  });
}

/** The declared columns; without any those of the rows. */
export function columnsOf(input: PayloadInput, items: readonly unknown[]): readonly ColumnConfig[] {
  const declared = declaredColumns(input.config);
  if (declared.length > 0) return declared;
  if (items.length > 0 && !items.some(isRecord)) return [{ key: 'value', value_expr: 'item' }];
  return namedColumns(keysOf(items));
}

/** The keys of the first 1,000 rows, in the order in which they come: what an expression leaves out of one row, the next may have. */
export function keysOf(items: readonly unknown[]): readonly string[] {
  const keys = new Set<string>();
  for (const item of items.slice(0, SAMPLED_ROWS_MAX)) {
    if (isRecord(item)) for (const key of Object.keys(item)) keys.add(key);
  }
  return [...keys];
}

/** Columns of which nothing but the name is known; at most 200. */
export function namedColumns(names: readonly string[]): readonly ColumnConfig[] {
  return names.slice(0, COLUMNS_MAX).map((key) => ({ key }));
}

/** Worked out by an expression, so that it is no column of the data. */
export function isComputed(column: ColumnConfig): boolean {
  return (column['value_expr'] ?? null) !== null;
}

export function hasLinks(column: ColumnConfig): boolean {
  return (column['href_expr'] ?? null) !== null;
}

/** Whether an item is what `cellsOf` would make of it: its keys are those of the columns, in their order, and each has a value. */
export function isItsCells(columns: readonly ColumnConfig[], item: unknown): item is Record<string, unknown> {
  if (!isRecord(item)) return false;
  let at = 0;
  for (const key in item) {
    if (columns[at]?.key !== key || item[key] === undefined) return false;
    at += 1;
  }
  return at === columns.length;
}

export async function cellsOf(
  input: PayloadInput,
  columns: readonly ColumnConfig[],
  names: { readonly item: unknown; readonly index: number },
): Promise<Record<string, unknown>> {
  const cells: Record<string, unknown> = {};
  for (const column of columns) {
    const value = isComputed(column)
      ? await evaluateKey(input, 'value_expr', names, column)
      : fieldOf(names.item, column.key);
    cells[column.key] = value ?? null;
  }
  return cells;
}

/** For each column with `href_expr`, a key of the row that no column has. */
export function linkKeysOf(columns: readonly ColumnConfig[]): ReadonlyMap<string, string> {
  const taken = new Set(columns.map(({ key }) => key));
  const keys = new Map<string, string>();
  for (const column of columns) {
    if (!hasLinks(column)) continue;
    let key = `${column.key}_href`;
    while (taken.has(key)) key += '_';
    taken.add(key);
    keys.set(column.key, key);
  }
  return keys;
}

/** Puts the links of a row among its cells; one that is not safe is null. */
export async function addLinks(
  input: PayloadInput,
  columns: readonly ColumnConfig[],
  linkKeys: ReadonlyMap<string, string>,
  row: ShownRow,
): Promise<void> {
  for (const column of columns) {
    const key = linkKeys.get(column.key);
    if (key === undefined) continue;
    const names = { item: row.item, index: row.index, value: row.cells[column.key] };
    row.cells[key] = safeHrefOf(await evaluateKey(input, 'href_expr', names, column));
  }
}

/** `types`, by key: left out where none are known. */
export function columnViews(
  columns: readonly ColumnConfig[],
  linkKeys: ReadonlyMap<string, string>,
  types?: ReadonlyMap<string, string>,
): readonly ColumnView[] {
  return columns.map((column) => {
    const { key, label, format, decimals, align, badge } = column;
    return {
      key,
      label: label ?? key,
      format: format ?? null,
      decimals: decimals ?? null,
      align: align ?? null,
      badge: badge ?? null,
      href: linkKeys.get(key) ?? null,
      ...(types && { type: isComputed(column) ? null : (types.get(key) ?? null) }),
    };
  });
}
