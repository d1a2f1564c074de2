import { FIELD_MAPPING_KEYS } from '../template/field-mapping.ts';
import { FIELD_TYPES } from '../template/form-field.ts';
import { methodSchema } from './common-schemas.ts';
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

const VALUE_CHARS_MAX = 10_000;

/** Definitions that `formFieldsSchema` and `jobConfigSchema` refer to. */
export function jobConfigDefinitions(kit: SchemaKit): Properties {
  return {
    form_field: formFieldSchema(kit),
    options_source: optionsSourceSchema(kit, []),
  };
}

export function formFieldsSchema(kit: SchemaKit, words: string): JsonSchema {
  return kit.list(words, { $ref: '#/$defs/form_field' }, { min: 1, max: 200 });
}

/** The entries of `job_config`. */
export function jobConfigSchema(kit: SchemaKit): JsonSchema {
  const form = objectOf(
    'Typed fields; its value is an object.',
    {
      type: { const: 'form' },
      title: kit.text('Its heading.'),
      description: kit.text('Said below the heading.'),
      fields: formFieldsSchema(kit, 'The fields of the form.'),
    },
    { required: ['type', 'fields'] },
  );
  const entry: JsonSchema = {
    title: 'An entry of the configuration',
    type: 'object',
    required: ['type'],
    properties: { type: { description: 'A form, or a mapping of fields.', enum: ['form', 'field_mapping'] } },
    allOf: [when(is('type', 'form'), form), when(is('type', 'field_mapping'), fieldMappingSchema(kit))],
  };
  return kit.entries('What a job’s owner may edit: entries by their keys.', entry, 'key');
}

function formFieldSchema(kit: SchemaKit): JsonSchema {
  const option = objectOf(
    'A choice.',
    {
      label: kit.text('What people read.', { required: true }),
      value: kit.text('What is stored.', { required: true }),
    },
    { required: ['label', 'value'] },
  );
  const properties: Properties = {
    key: kit.name('Of the field in the value.', 'key'),
    label: kit.text('What people read; the key by default.'),
    type: kit.oneOf('Of its value.', FIELD_TYPES),
    required: kit.flag('Whether it must be filled in; false by default.'),
    default: { description: 'The value at first.' },
    format: kit.oneOf('What a text must be.', ['email', 'url']),
    depends_on: kit.names('Fields, or entries, that its options or its visibility read.'),
    hide_if_expr: kit.expression('Hidden, and not required, where this is true.'),
    options: kit.list('The choices of a select.', option, { min: 1 }),
    options_source: {
      description: 'Where the choices of a select come from.',
      $ref: '#/$defs/options_source',
    },
  };
  const select = is('type', 'select', 'multi_select');
  const plain = is('type', 'text', 'number', 'boolean');
  const schema = objectOf('A field of a form.', properties, {
    required: ['key', 'type'],
    rules: [
      when(select, { anyOf: [has('options'), has('options_source')] }),
      when(plain, without('options', 'options_source')),
      ...atMostOne('options', 'options_source'),
      when(is('type', ...FIELD_TYPES.filter((type) => type !== 'text')), without('format')),
      ...defaultRules(),
    ],
  });
  return { title: 'A field', ...schema };
}

function defaultRules(): readonly JsonSchema[] {
  const chosen = {
    type: ['array', 'null'],
    items: { type: 'string', maxLength: VALUE_CHARS_MAX },
    uniqueItems: true,
    maxItems: 1_000,
  };
  const rule = (types: readonly string[], schema: JsonSchema) =>
    when(is('type', ...types), { properties: { default: schema } });
  return [
    rule(['text', 'select'], { type: ['string', 'null'], maxLength: VALUE_CHARS_MAX }),
    rule(['number'], { type: ['number', 'null'] }),
    rule(['boolean'], { type: ['boolean', 'null'] }),
    rule(['multi_select'], chosen),
  ];
}

/** `outside`: keys that stand beside the source instead of in it. */
function optionsSourceSchema(kit: SchemaKit, outside: readonly string[]): JsonSchema {
  const search = objectOf(
    'How people find an option.',
    {
      param: kit.text('The argument that takes what they type, or a dotted path into the arguments.'),
      on_frontend: kit.flag('Whether the page itself filters the options it has; false by default.'),
    },
    { rules: [when(is('on_frontend', true), without('param'), has('param'))] },
  );
  const properties: Properties = {
    connector: kit.text('One of the names under `connectors`.', { required: true }),
    method: methodSchema(kit),
    args: {
      description: 'Arguments of the method, with `{{ expression }}` in their texts.',
      type: 'object',
    },
    label_expr: kit.expression('What people read of an `item`; the value by default.'),
    value_expr: kit.expression('What is stored of an `item`.'),
    subtext_expr: kit.expression('A second line of an `item`.'),
    transform_expr: kit.expression('Makes the list of items from the `data` that the method gives.'),
    depends_on: kit.names('Fields, or entries, that the arguments read.'),
    search,
  };
  return objectOf('Choices that a connector gives, page by page.', properties, {
    required: ['connector', 'method', ...(outside.includes('value_expr') ? [] : ['value_expr'])],
    rules: outside.length === 0 ? [] : [without(...outside)],
  });
}

function fieldMappingSchema(kit: SchemaKit): JsonSchema {
  const side = mappingSideSchema(kit);
  const transform = { description: 'An expression over the source’s value; null to copy it.' };
  const row = objectOf(
    'A row of the mapping.',
    {
      source_field: { description: 'Read.', type: 'string', minLength: 1 },
      target_field: { description: 'Written.', type: 'string', minLength: 1 },
      transform: { ...transform, type: 'string' },
    },
    { required: ['source_field', 'target_field'] },
  );
  const known: Properties = {
    type: { const: 'field_mapping' },
    title: kit.text('Its heading.'),
    allow_transform: kit.flag('Whether a row may have an expression; false by default.'),
    default: { description: 'The rows at first.', type: 'array', items: row, maxItems: 1_000 },
    source: side('What may be read.'),
    target: side('What may be written.'),
    validation_expr: kit.expression(
      'Gives what is wrong with the rows (`value`): a text, a list of texts, or true for nothing.',
    ),
  };
  const properties = pickSchemas('a field_mapping', FIELD_MAPPING_KEYS.keys, known);
  const noTransform = { properties: { transform: { type: 'null' } } };
  return objectOf('Rows of source and target fields; its value is a list.', properties, {
    required: ['type'],
    rules: [when(is('allow_transform', true), {}, { properties: { default: { items: noTransform } } })],
  });
}

/** `label_expr` and `value_expr` stand beside `options_source`, or in it, and not in both places. */
function mappingSideSchema(kit: SchemaKit): (words: string) => JsonSchema {
  const keys = ['label_expr', 'value_expr'];
  const rules = [[], ['label_expr'], ['value_expr'], keys].map((outside) => {
    const inside = keys.filter((key) => !outside.includes(key));
    const stands = [...outside.map(has), ...inside.map((key) => ({ not: has(key) }))];
    const source =
      outside.length === 0 ? { $ref: '#/$defs/options_source' } : optionsSourceSchema(kit, outside);
    return when({ allOf: [has('options_source'), ...stands] }, { properties: { options_source: source } });
  });
  const properties: Properties = {
    options_source: { description: 'Where the fields come from.', type: 'object' },
    label_expr: kit.expression('What people read of an `item`.'),
    value_expr: kit.expression('The field’s name in an `item`.'),
  };
  return (words) => objectOf(words, properties, { rules: [onlyBeside(keys, ['options_source']), ...rules] });
}
