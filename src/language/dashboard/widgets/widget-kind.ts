import { readExpressionKey } from '../../yaml/expression-reader.ts';
import { type MapReader, readMap } from '../../yaml/map-reader.ts';
import { DATA_ITEM_NAMES, DATA_NAMES, VALUE_NAMES } from '../../yaml/scope-names.ts';
import { isUnsafeKey } from '../../yaml/yaml-value.ts';

/** Checks one entry of a widget, and reports what is wrong with it. */
export type KeyCheck = (reader: MapReader, key: string) => void;

/**
 * What a public page may see of a widget's keys. `true`: a text, number or flag, or a list of those. A map: these keys of a map, or of
 * each map in a list. What is not named is not shown.
 */
export interface PublicKeys {
  readonly [key: string]: true | PublicKeys;
}

/** One type of widget. */
export interface WidgetKind {
  /** Default columns of twelve. */
  readonly width: number;
  /** True for a type that shows data: it may have a binding. */
  readonly bound: boolean;
  /** The keys of the type, all optional, with their checks. */
  readonly keys: Readonly<Record<string, KeyCheck>>;
  readonly publicKeys: PublicKeys;
  /** Rules between keys. */
  readonly check?: (reader: MapReader) => void;
}

const ITEMS_MAX = 200;
const FIELD_CHARS_MAX = 200;

const FORMATS = [
  'number',
  'integer',
  'compact',
  'percent',
  'bytes',
  'duration',
  'date',
  'datetime',
  'relative',
  'text',
];

export const LEVELS = ['info', 'success', 'warning', 'danger'] as const;

export const aText: KeyCheck = (reader, key) => void reader.text(key);

/** The key of a field in rows: any text that is safe as an object's key. */
export const aField: KeyCheck = (reader, key) => {
  const field = reader.text(key, { charsMax: FIELD_CHARS_MAX });
  if (field !== null && isUnsafeKey(field))
    reader.wrong(key, `The name "${field}" is not allowed; choose another`);
};

export const aFlag: KeyCheck = (reader, key) => void reader.flag(key);

/** Over the data as a whole. */
export const anExpression: KeyCheck = (reader, key) => void readExpressionKey(reader, key, DATA_NAMES);

/** Over the data and the value of the widget's `value_expr`. */
export const aValueExpression: KeyCheck = (reader, key) => void readExpressionKey(reader, key, VALUE_NAMES);

/** Over one item of the data, with its place. */
export const anItemExpression: KeyCheck = (reader, key) =>
  void readExpressionKey(reader, key, DATA_ITEM_NAMES);

/** Over one item of the data and the cell that was made of it. */
export const aCellExpression: KeyCheck = (reader, key) =>
  void readExpressionKey(reader, key, [...DATA_ITEM_NAMES, 'value']);

export const aName: KeyCheck = (reader, key) => void reader.name(key, 'key');

export const aNumber: KeyCheck = (reader, key) => void reader.number(key);

export function anInteger(min: number, max: number): KeyCheck {
  return (reader, key) => void reader.integer(key, { min, max });
}

export function oneOf(...choices: readonly string[]): KeyCheck {
  return (reader, key) => void reader.oneOf(key, choices);
}

/** How a value is shown: one of `FORMATS`, or `currency:` and an ISO 4217 code. */
export const aFormat: KeyCheck = (reader, key) => {
  const format = reader.text(key);
  if (format === null || reader.check.isPlaceholder(format) || /^currency:[A-Z]{3}$/.test(format)) return;
  if (!FORMATS.includes(format)) {
    reader.wrong(key, `"${key}" must be one of ${FORMATS.join(', ')} or currency:EUR, not "${format}"`);
  }
};

/** `#rgb`, `#rrggbb`, or a colour of the palette by its name. */
export const aColor: KeyCheck = (reader, key) => {
  const color = reader.text(key);
  if (color === null || reader.check.isPlaceholder(color)) return;
  if (!/^(#[0-9a-f]{3}|#[0-9a-f]{6}|[a-z]{2,20})$/i.test(color)) {
    reader.wrong(key, `"${key}" must be a colour such as "#2563eb" or "blue", not "${color}"`);
  }
};

/** A list of maps with these keys; the names in `required` must be there. */
export function listOf(keys: Readonly<Record<string, KeyCheck>>, required: readonly string[] = []): KeyCheck {
  return (reader, key) => {
    for (const [index, item] of (reader.list(key, { max: ITEMS_MAX }) ?? []).entries()) {
      const map = readMap(reader.check, item, reader.at(key, index), { keys: Object.keys(keys) });
      if (map !== null) checkKeys(map, keys, required);
    }
  };
}

function checkKeys(
  map: MapReader,
  keys: Readonly<Record<string, KeyCheck>>,
  required: readonly string[],
): void {
  for (const name of required) if (!map.has(name)) map.wrong(name, `"${name}" is required`);
  for (const [name, check] of Object.entries(keys)) check(map, name);
}

/** Reports values that two maps of the list under `listKey` have both under `key`. */
export function checkDistinct(reader: MapReader, listKey: string, key: string): void {
  const seen = new Set<unknown>();
  const list = reader.value(listKey);
  for (const [index, item] of (Array.isArray(list) ? list : []).entries()) {
    const value = (item as Record<string, unknown> | null)?.[key];
    if (typeof value !== 'string') continue;
    if (seen.has(value))
      reader.check.add(reader.at(listKey, index, key), `Duplicate ${key} "${value}"; choose another`);
    seen.add(value);
  }
}
