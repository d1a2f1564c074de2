import { isRecord } from '../../base/json.ts';
import { readExpressionKey } from '../yaml/expression-reader.ts';
import { type MapReader, readMap, typeName } from '../yaml/map-reader.ts';
import { fieldValueProblem } from './field-value.ts';
import type { FormField } from './job-config.ts';
import { type OptionsContext, readOptionsSource } from './options-source.ts';

const FIELDS_MAX = 200;
const OPTIONS_MAX = 1_000;

const FIELD_KEYS = {
  keys: [
    'key',
    'label',
    'type',
    'required',
    'default',
    'format',
    'depends_on',
    'hide_if_expr',
    'options',
    'options_source',
  ],
};

export const FIELD_TYPES = ['text', 'number', 'boolean', 'select', 'multi_select'] as const;

/** Reads the list of fields under `key`, whose keys must differ. */
export function readFormFields(
  reader: MapReader,
  key: string,
  context: OptionsContext,
): readonly FormField[] {
  const list = reader.list(key, { required: true, max: FIELDS_MAX });
  if (list?.length === 0) reader.wrong(key, `"${key}" must not be empty`);
  const seen = new Set<string>();
  return (list ?? []).flatMap((item, index) => {
    const field = readMap(reader.check, item, reader.at(key, index), FIELD_KEYS);
    if (field === null) return [];
    const read = readField(field, context);
    if (read.key !== '' && seen.has(read.key))
      field.wrong('key', `Duplicate field key "${read.key}"; choose another`);
    seen.add(read.key);
    return [read];
  });
}

function readField(reader: MapReader, context: OptionsContext): FormField {
  const key = reader.name('key', 'key', { required: true }) ?? '';
  const type = reader.oneOf('type', FIELD_TYPES, { required: true });
  const select = type === 'select' || type === 'multi_select';
  if (type !== null && !select) {
    for (const name of ['options', 'options_source'])
      reader.idle(name, `the field is of type ${type}, not a select`);
  } else if (type !== null && !reader.has('options') && !reader.has('options_source')) {
    reader.wrong('type', `A field of type ${type} needs "options" or "options_source"`);
  }
  reader.atMostOne('options', 'options_source');
  if (type !== null && type !== 'text')
    reader.idle('format', `only text has a format; the field is of type ${type}`);
  const field: FormField = {
    key,
    label: reader.text('label') ?? key,
    type: type ?? 'text',
    required: reader.flag('required'),
    default: reader.value('default'),
    format: reader.oneOf('format', ['email', 'url']),
    dependsOn: reader.names('depends_on') ?? [],
    hideIf: readExpressionKey(reader, 'hide_if_expr', null),
    options: readOptions(reader),
    optionsSource: readOptionsSource(reader, context),
  };
  const wrongDefault =
    type === null || !reader.has('default') ? null : fieldValueProblem(field, field.default);
  if (wrongDefault !== null) reader.wrong('default', `"default" ${wrongDefault}`);
  return field;
}

function readOptions(reader: MapReader): FormField['options'] {
  const list = reader.list('options', { max: OPTIONS_MAX });
  if (list === null) return null;
  if (list.length === 0) reader.wrong('options', '"options" must not be empty');
  const seen = new Set<string>();
  return list.flatMap((item, index) => {
    const path = reader.at('options', index);
    if (!isRecord(item)) {
      reader.check.add(path, `An option must be a map with "label" and "value", not ${typeName(item)}`);
      return [];
    }
    const option = readMap(reader.check, item, path, { keys: ['label', 'value'] });
    const label = option?.text('label', { required: true }) ?? '';
    const value = option?.text('value', { required: true }) ?? '';
    if (seen.has(value) && value !== '')
      option?.wrong('value', `Duplicate option value "${value}"; keep one`);
    seen.add(value);
    return [{ label, value }];
  });
}
