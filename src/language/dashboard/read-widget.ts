import { isRecord } from '../../base/json.ts';
import type { DocumentCheck } from '../yaml/document-check.ts';
import { readExpressionKey } from '../yaml/expression-reader.ts';
import { MapReader, readMap, typeName } from '../yaml/map-reader.ts';
import { DASHBOARD_NAMES } from '../yaml/scope-names.ts';
import type { Path } from '../yaml/yaml-path.ts';
import { WIDGET_TYPES, type Widget, type WidgetBinding } from './dashboard.ts';
import { BINDING_KEYS, readBinding } from './widget-binding.ts';
import { WIDGET_KINDS } from './widgets/widget-kinds.ts';

/** What widgets are read against; ids are gathered over the whole document. */
export interface WidgetContext {
  readonly profiles: readonly string[];
  readonly sharedQueries: readonly string[];
  readonly widgetIds: Set<string>;
}

const SHARED_KEYS = [
  'id',
  'type',
  'title',
  'description',
  'width',
  'scope',
  'refresh_interval_seconds',
  'visible_if_expr',
];

export const REFRESH_SECONDS = { min: 1, max: 86_400 };

/** Reads one widget of a page; null where its type is not known. */
export function readWidget(
  check: DocumentCheck,
  value: unknown,
  path: Path,
  index: number,
  context: WidgetContext,
): Widget | null {
  if (!isRecord(value)) {
    check.add(path, `widgets[${index}] must be a map, not ${typeName(value)}`);
    return null;
  }
  const bare = new MapReader(check, value, path);
  const id = readId(bare, index, context);
  const type = WIDGET_TYPES.find((known) => known === bare.value('type'));
  if (type === undefined) {
    // Its own keys are not known; what every widget has is checked all the same.
    readShared(bare, context);
    return bare.wrong('type', `widgets[${index}].type must be one of: ${WIDGET_TYPES.join(', ')}`);
  }

  const kind = WIDGET_KINDS[type];
  const reader = readMap(check, value, path, {
    keys: [...SHARED_KEYS, ...BINDING_KEYS, ...Object.keys(kind.keys)],
  });
  if (reader === null) return null;
  for (const [key, checkKey] of Object.entries(kind.keys)) checkKey(reader, key);
  kind.check?.(reader);
  let binding: WidgetBinding = { kind: 'none' };
  if (kind.bound) binding = readBinding(reader, context.sharedQueries);
  else for (const key of BINDING_KEYS) reader.idle(key, `a ${type} widget has no data of its own`);
  const { width, ...shared } = readShared(reader, context);
  return {
    id,
    type,
    ...shared,
    width: width ?? kind.width,
    binding,
    config: Object.fromEntries(
      Object.keys(kind.keys).flatMap((key) => (reader.has(key) ? [[key, reader.value(key)]] : [])),
    ),
  };
}

function readShared(reader: MapReader, { profiles }: WidgetContext) {
  return {
    title: reader.text('title'),
    description: reader.text('description'),
    width: reader.integer('width', { min: 1, max: 12 }),
    ...readScopeName(reader, profiles),
    refresh_interval_seconds: reader.number('refresh_interval_seconds', REFRESH_SECONDS),
    visible_if_expr: readExpressionKey(reader, 'visible_if_expr', DASHBOARD_NAMES)?.source ?? null,
  };
}

function readId(reader: MapReader, index: number, { widgetIds }: WidgetContext): string {
  if (!reader.has('id') || reader.value('id') === '') {
    reader.wrong('id', `widgets[${index}].id is required`);
    return '';
  }
  const id = reader.name('id', 'key') ?? '';
  if (id !== '' && widgetIds.has(id)) reader.wrong('id', `Duplicate widget id: ${id}`);
  widgetIds.add(id);
  return id;
}

/** A profile's name, null for none; absent leaves the document's default. */
function readScopeName(reader: MapReader, profiles: readonly string[]): { scope?: string | null } {
  if (!Object.hasOwn(reader.map, 'scope')) return {};
  const name = reader.text('scope');
  if (name !== null && !reader.check.isPlaceholder(name) && !profiles.includes(name)) {
    reader.wrong('scope', `scope "${name}" is not defined in scope`);
  }
  return { scope: name };
}
