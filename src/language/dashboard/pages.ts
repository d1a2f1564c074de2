import { isRecord } from '../../base/json.ts';
import { didYouMean } from '../../base/text/suggest-name.ts';
import { is, type JsonSchema, type SchemaOptions, when } from '../declare/json-schema.ts';
import { map, readKeys, readMapOf } from '../declare/map.ts';
import { special, type Value } from '../declare/value.ts';
import { flag, name, TEXT_CHARS_MAX, text } from '../declare/values.ts';
import type { DocumentCheck } from '../yaml/document-check.ts';
import { MapReader, readMap, typeName } from '../yaml/map-reader.ts';
import type { Path } from '../yaml/yaml-path.ts';
import { BINDING_KEYS } from './widgets/widget-binding.ts';
import { type WidgetBase, widgetKeys } from './widgets/widget-kind.ts';
import { WIDGET_KINDS, WIDGET_TYPES, type WidgetType } from './widgets/widget-kinds.ts';

const PAGES_MAX = 100;
const WIDGETS_MAX = 500;

export interface Widget extends WidgetBase {
  readonly type: WidgetType;
}

export type DashboardPage = ReturnType<(typeof PAGE)['from']>;

/** The definitions that pages refer to: a widget is described by the definition of its `type`. */
export function widgetDefinitions(options: SchemaOptions): Readonly<Record<string, JsonSchema>> {
  const kinds = Object.values(WIDGET_KINDS);
  const widget = {
    title: 'A widget',
    type: 'object',
    required: ['id', 'type'],
    properties: { type: { description: 'What the widget shows.', enum: [...WIDGET_TYPES] } },
    allOf: WIDGET_TYPES.map((type) => when(is('type', type), { $ref: `#/$defs/${type}_widget` })),
  };
  const definitions = kinds.map(({ type, map }) => [`${type}_widget`, map.schema(options)]);
  return { ...Object.fromEntries(definitions), widget };
}

/** Keys that have no effect where a widget has no data of its own. */
const NO_BINDING = Object.keys(BINDING_KEYS);

/** Reads one widget of a page; null where its type is not known. */
function readWidget(check: DocumentCheck, value: unknown, path: Path, index: number): Widget | null {
  if (!isRecord(value)) {
    check.add(path, `widgets[${index}] must be a map, not ${typeName(value)}`);
    return null;
  }
  const type = WIDGET_TYPES.find((known) => known === value['type']);
  if (type === undefined) {
    // Its own keys are not known; what every widget has is checked all the same.
    const bare = new MapReader(check, value, path);
    readKeys(bare, widgetKeys('', 1));
    const suggestion = typeof value['type'] === 'string' ? didYouMean(value['type'], WIDGET_TYPES) : '';
    const types = `${WIDGET_TYPES.join(', ')}${suggestion}`;
    return bare.wrong('type', `widgets[${index}].type must be one of: ${types}`);
  }
  const { bound, map } = WIDGET_KINDS[type];
  const keys = bound ? map.names.keys : [...map.names.keys, ...NO_BINDING];
  const reader = readMap(check, value, path, { keys });
  if (reader === null) return null;
  if (!bound) for (const key of NO_BINDING) reader.idle(key, `a ${type} widget has no data`);
  return { ...map.from(reader), type };
}

/** A list of widgets; `place` is what messages call it. */
function widgetList(
  words: string,
  placeOf: (reader: MapReader) => string,
  required: boolean,
): Value<readonly Widget[]> {
  const schema = { type: 'array', maxItems: WIDGETS_MAX, items: { $ref: '#/$defs/widget' } };
  const read = (reader: MapReader, key: string) => {
    const list = reader.value(key);
    // The one list of a dashboard takes the place of pages; where both are given, a rule reports it.
    if (!required && Object.hasOwn(reader.map, 'pages') && !Array.isArray(list)) return [];
    if (!Array.isArray(list)) {
      reader.wrong(key, `${placeOf(reader)}.widgets must be an array`);
      return [];
    }
    if (list.length > WIDGETS_MAX) reader.wrong(key, `"${key}" has more than ${WIDGETS_MAX} items`);
    return list
      .slice(0, WIDGETS_MAX)
      .flatMap((item, index) => readWidget(reader.check, item, reader.at(key, index), index) ?? []);
  };
  return { ...special(words, schema, read, { required }), neverEmpty: true };
}

const placeOf = (page: MapReader) => `dashboard.pages[${page.path.at(-1)}]`;

/** A value that must not be absent or an empty text, in the words of the API. */
function needed(value: Value<string | null>): Value<string> {
  const read = (page: MapReader, key: string) => {
    if (page.has(key) && page.value(key) !== '') return value.read(page, key) ?? '';
    page.wrong(key, `${placeOf(page)}.${key} is required`);
    return '';
  };
  return { ...value, required: true, read };
}

const TEXT = text('');

const TITLE = special(
  'The label of its tab.',
  { type: 'string', minLength: 1, maxLength: TEXT_CHARS_MAX },
  (page, key) => TEXT.read(page, key),
);

const PAGE = map(
  'A page.',
  {
    id: needed(name('Name of the page; unique within the dashboard.', 'key')),
    title: needed(TITLE),
    public: flag('Whether it is visible with the share link.', true),
    widgets: widgetList('The widgets of the page.', placeOf, true),
  },
  { title: 'A page' },
);

/** `pages`; null where the document has none. */
export const PAGES: Value<readonly DashboardPage[] | null> = {
  neverEmpty: true,
  ...special(
    'The pages, as tabs.',
    (options) => ({ type: 'array', minItems: 1, maxItems: PAGES_MAX, items: PAGE.schema(options) }),
    (reader, key) => {
      if (!Object.hasOwn(reader.map, key)) return null;
      const pages = reader.value(key);
      if (!Array.isArray(pages) || pages.length === 0) {
        reader.wrong(key, 'dashboard.pages must be a non-empty array');
        return [];
      }
      if (pages.length > PAGES_MAX) reader.wrong(key, `"${key}" has more than ${PAGES_MAX} items`);
      return pages.slice(0, PAGES_MAX).flatMap((page, index) => {
        const path = reader.at(key, index);
        if (isRecord(page)) return readMapOf(reader.check, page, path, PAGE) ?? [];
        reader.check.add(path, `dashboard.pages[${index}] must be a map, not ${typeName(page)}`);
        return [];
      });
    },
  ),
};

/** `widgets` of a dashboard without pages. */
export const WIDGETS = widgetList('The widgets of a single-page dashboard.', () => 'dashboard', false);

/** Reports pages, and widgets of all pages, that have a name twice. */
export function checkNames(reader: MapReader): void {
  const pages = recordsAt(reader.value('pages'), reader.at('pages'));
  checkDistinct(reader.check, pages, 'page');
  const ofPages = pages.flatMap(({ map, path }) => recordsAt(map['widgets'], [...path, 'widgets']));
  checkDistinct(reader.check, ofPages, 'widget');
  checkDistinct(reader.check, recordsAt(reader.value('widgets'), reader.at('widgets')), 'widget');
}

interface PlacedMap {
  readonly map: Readonly<Record<string, unknown>>;
  readonly path: Path;
}

function recordsAt(list: unknown, path: Path): readonly PlacedMap[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((map: unknown, index) => (isRecord(map) ? [{ map, path: [...path, index] }] : []));
}

function checkDistinct(check: DocumentCheck, maps: readonly PlacedMap[], noun: string): void {
  const seen = new Set<unknown>();
  for (const { map, path } of maps) {
    const { id } = map;
    if (typeof id !== 'string' || id === '') continue;
    if (seen.has(id)) check.add([...path, 'id'], `Duplicate ${noun} id: ${id}`);
    seen.add(id);
  }
}
