import { WIDGET_TYPES, type WidgetType } from '../dashboard/dashboard.ts';
import { REFRESH_SECONDS } from '../dashboard/read-widget.ts';
import { BINDING_KEYS } from '../dashboard/widget-binding.ts';
import { WIDGET_KINDS } from '../dashboard/widgets/widget-kinds.ts';
import { method } from '../declare/connector-call.ts';
import {
  atMostOne,
  has,
  is,
  type JsonSchema,
  objectOf,
  onlyBeside,
  type Properties,
  pickSchemas,
  type SchemaKit,
  when,
  without,
} from './schema-kit.ts';
import { widgetKeySchemas } from './widget-key-schemas.ts';

const WIDGET_WORDS: Readonly<Record<WidgetType, string>> = {
  heading: 'The label of a section, or a callout.',
  stat: 'One number, perhaps beside an earlier one. Without `value_expr` it is the data itself.',
  progress:
    'A bar of what is done over what there is: `current` and `total` of the data, or the expressions.',
  steps: 'A process in steps, listed here or found in the data.',
  people: 'Contact cards.',
  bar_chart: 'Bars over a list of records.',
  line_chart: 'Lines or areas over a list of records.',
  pie_chart: 'Shares of a whole.',
  table: 'A bounded list of rows in declared columns.',
  form: 'Typed fields that write a `form` entry of the job’s configuration.',
  field_mapping: 'An editor of a `field_mapping` entry of the job’s configuration.',
  action: 'A button that the server acts on, with the call fixed here.',
  task_progress: 'The latest run of one task of the job.',
  explorer: 'Rows of a connector, page by page, in chosen columns.',
};

const KIND_RULES: Readonly<Partial<Record<WidgetType, readonly JsonSchema[]>>> = {
  stat: [onlyBeside(['trend'], ['compare_expr'])],
  steps: atMostOne('items', 'items_expr'),
  explorer: [without('shared_query', 'source')],
};

/** A widget: described by the definition of its `type`. */
export function widgetSchema(): JsonSchema {
  return {
    title: 'A widget',
    type: 'object',
    required: ['id', 'type'],
    properties: { type: { description: 'What the widget shows.', enum: [...WIDGET_TYPES] } },
    allOf: WIDGET_TYPES.map((type) => when(is('type', type), { $ref: `#/$defs/${type}_widget` })),
  };
}

/** The definitions that `widgetSchema` refers to. */
export function widgetDefinitions(kit: SchemaKit): Properties {
  const known = widgetKeySchemas(kit);
  return Object.fromEntries(
    WIDGET_TYPES.map((type) => {
      const kind = WIDGET_KINDS[type];
      const properties: Properties = {
        ...sharedSchemas(kit, type),
        ...(kind.bound ? pickSchemas('a binding', BINDING_KEYS, bindingSchemas(kit)) : {}),
        ...pickSchemas(`a ${type} widget`, Object.keys(kind.keys), known[type]),
      };
      const schema = objectOf(WIDGET_WORDS[type], properties, {
        required: ['id', 'type'],
        rules: [...(kind.bound ? BINDING_RULES : []), ...(KIND_RULES[type] ?? [])],
      });
      return [`${type}_widget`, { title: `A widget of type ${type}`, ...schema }];
    }),
  );
}

function sharedSchemas(kit: SchemaKit, type: WidgetType): Properties {
  return {
    id: kit.name('Of the widget; different from those of all pages.', 'key'),
    type: { description: 'What the widget shows.', const: type },
    title: kit.text('Its heading.'),
    description: kit.text('Said below the heading.'),
    width: kit.integer(`Columns of twelve; ${WIDGET_KINDS[type].width} by default.`, 1, 12),
    scope: kit.text('The profile of `scope` that limits its calls; empty for none.'),
    refresh_interval_seconds: kit.number(
      'It is read again so often.',
      REFRESH_SECONDS.min,
      REFRESH_SECONDS.max,
    ),
    visible_if_expr: kit.expression('Hidden where this is false.'),
  };
}

function bindingSchemas(kit: SchemaKit): Properties {
  return {
    connector: kit.name('One of the job’s connectors: `data` is what its method gives.', 'word'),
    method: method.schema({ variables: true }),
    args: kit.anyMap('Arguments of the method, with `{{ expression }}` in their texts.'),
    shared_query: kit.text('One of `shared_queries`: `data` is what it gives.'),
    source: kit.oneOf('`data` is the job’s latest runs, the job itself, or its configuration.', [
      'runs',
      'job',
      'config',
    ]),
    transform_expr: kit.expression('Makes the `data` of the other expressions from what was given.'),
  };
}

const BINDING_RULES: readonly JsonSchema[] = [
  ...atMostOne('connector', 'shared_query', 'source'),
  when(has('connector'), has('method'), without('method', 'args')),
  onlyBeside(['transform_expr'], ['connector', 'shared_query', 'source']),
];
