import { expression } from '../../declare/expressions.ts';
import { type MapOf, map, shownOf } from '../../declare/map.ts';
import type { Rule } from '../../declare/rules.ts';
import { type Keys, type PublicKeys, special, type Value, type ValuesOf } from '../../declare/value.ts';
import { integer, name, number, reference, text } from '../../declare/values.ts';
import type { MapReader } from '../../yaml/map-reader.ts';
import { VIEW_NAMES } from '../../yaml/scope-names.ts';
import type { PayloadInput } from './payload-input.ts';
import {
  BINDING_KEYS,
  BINDING_RULES,
  type BindingValues,
  bindingOf,
  type WidgetBinding,
} from './widget-binding.ts';

/** What every widget has. */
export interface WidgetBase {
  readonly id: string;
  readonly title: string | null;
  readonly description: string | null;
  /** Columns of twelve; the type's default is filled in. */
  readonly width: number;
  /** A profile name, null to opt out, undefined for the document's default. */
  readonly scope?: string | null;
  readonly refresh_interval_seconds: number | null;
  readonly visible_if_expr: string | null;
  readonly binding: WidgetBinding;
  /** The keys of the type as they stand (expressions as text), already checked. */
  readonly config: Readonly<Record<string, unknown>>;
}

interface WidgetDeclaration<T extends string> {
  readonly type: T;
  readonly words: string;
  /** Default columns of twelve. */
  readonly width: number;
  /** True for a type that shows data: it may have a binding. */
  readonly bound: boolean;
  /** The keys of the type; the public view has those that are `shown`. */
  readonly keys: Keys;
  readonly rules?: readonly Rule[];
  /**
   * What it shows of its data: plain JSON, null for a widget without data. Left out where it is edited, acted on or paged
   * through, so that its payload is not made from data. Throws `ExpressionError`.
   */
  readonly payload?: (input: PayloadInput, widgetId: string) => unknown;
}

/** One type of widget: everything that the language knows of it. */
export interface WidgetKind<T extends string = string> extends WidgetDeclaration<T> {
  readonly map: MapOf<WidgetBase>;
  /** What the public view has of `config`. */
  readonly publicKeys: PublicKeys;
}

/** Declares a type of widget, once for its reader, its schema, its public view and its payload. */
export function widgetKind<const T extends string>(declaration: WidgetDeclaration<T>): WidgetKind<T> {
  const { type, words, width, bound, keys, rules = [] } = declaration;
  const own = Object.keys(keys);
  const common = widgetKeys(type, width);
  const make = (read: unknown, reader: MapReader): WidgetBase => {
    const { type: _, scope, visible_if_expr, ...values } = read as ValuesOf<typeof common>;
    const { id, title, description, refresh_interval_seconds } = values;
    return {
      id,
      title,
      description,
      width: values.width,
      ...(scope === undefined ? {} : { scope }),
      refresh_interval_seconds,
      visible_if_expr: visible_if_expr?.source ?? null,
      binding: bound ? bindingOf(reader, read as BindingValues) : { kind: 'none' },
      config: Object.fromEntries(own.flatMap((key) => (reader.has(key) ? [[key, reader.value(key)]] : []))),
    };
  };
  const all: Keys = { ...common, ...(bound ? BINDING_KEYS : {}), ...keys };
  const title = `A widget of type ${type}`;
  return {
    ...declaration,
    map: map(words, all, { title, rules: bound ? [...BINDING_RULES, ...rules] : rules, make }),
    publicKeys: shownOf(keys) ?? {},
  };
}

/** How often something may be read again, in seconds. */
export const refreshInterval = (words: string, absent: string) =>
  number(words, { min: 1, max: 86_400, absent });

/** The keys of every widget. */
export function widgetKeys(type: string, width: number) {
  return {
    id: ID,
    type: special('What the widget shows.', { const: type }, () => type, { required: true }),
    title: text('Heading of the widget.'),
    description: text('Text below the heading.'),
    width: integer('Width in columns; a page has twelve.', { min: 1, max: 12, default: width }),
    scope: SCOPE,
    refresh_interval_seconds: refreshInterval(
      'Refresh interval of the widget on an open page, in seconds.',
      'that of the dashboard',
    ),
    visible_if_expr: expression('The widget is hidden when this is false.', VIEW_NAMES),
  };
}

const NAME = name('Name of the widget; unique within the dashboard.', 'key', { required: true });

const ID: Value<string> = {
  ...NAME,
  read: (reader, key) => {
    if (reader.has(key) && reader.value(key) !== '') return NAME.read(reader, key);
    reader.wrong(key, `widgets[${reader.path.at(-1)}].id is required`);
    return '';
  },
};

const PROFILE = reference('The `scope` profile that limits its calls; empty for none.', 'scope', {
  absent: '`default_scope`',
});

/** A profile's name, null for none; undefined leaves the document's default. */
const SCOPE: Value<string | null | undefined> = {
  ...PROFILE,
  read: (reader, key) => (Object.hasOwn(reader.map, key) ? PROFILE.read(reader, key) : undefined),
};
