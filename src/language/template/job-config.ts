import { isRecord } from '../../base/json.ts';
import { is, type JsonSchema, type SchemaOptions, when } from '../declare/json-schema.ts';
import { map } from '../declare/map.ts';
import { special, type Value } from '../declare/value.ts';
import { authorsMap, oneOf, text } from '../declare/values.ts';
import type { DocumentCheck } from '../yaml/document-check.ts';
import { MapReader, readMap, typeName } from '../yaml/map-reader.ts';
import type { Path } from '../yaml/yaml-path.ts';
import { FIELD_MAPPING, type FieldMappingEntry } from './field-mapping.ts';
import { checkDependsOn, checkFieldDependencies, FORM_FIELD, formFields } from './form-field.ts';
import { OPTIONS_SOURCE } from './options-source.ts';

/** The `job_config` section of a template: what a job's owner may edit. Keys: letters, digits, `_`, `-`. */
export type JobConfigSchema = Readonly<Record<string, JobConfigEntry>>;
export type JobConfigEntry = FormEntry | FieldMappingEntry;

export type FormEntry = ReturnType<(typeof FORM)['from']>;

const FORM = map('Typed fields. The value is an object.', {
  type: special('A form.', { const: 'form' }, () => 'form' as const, { required: true }),
  title: text('Heading.'),
  description: text('Text below the heading.'),
  fields: formFields('The fields of the form.', { required: true }),
});

/** The types of entries. */
const ENTRIES = { form: FORM, field_mapping: FIELD_MAPPING };
const TYPES = ['form', 'field_mapping'] as const;
const TYPE = oneOf('A form, or a mapping of fields.', TYPES, { required: true });

export const JOB_CONFIG: Value<JobConfigSchema> = authorsMap(
  'What a job’s owner may edit: entries by key.',
  (options) => ({
    title: 'A configuration entry',
    type: 'object',
    required: ['type'],
    properties: { type: { description: 'A form, or a mapping of fields.', enum: [...TYPES] } },
    allOf: TYPES.map((type) => when(is('type', type), ENTRIES[type].schema(options))),
  }),
  (reader, key) => {
    const config: Record<string, JobConfigEntry> = {};
    const entries = reader.entries(key, 'key');
    declareEntries(reader.check, entries);
    for (const [name, value] of entries) {
      const entry = readEntry(reader.check, value, reader.at(key, name));
      if (entry !== null) config[name] = entry;
    }
    for (const name of Object.keys(config))
      checkDependencies(reader.check, reader.at(key, name), config, name);
    return config;
  },
  'key',
);

/** The definitions that `JOB_CONFIG` and form fields refer to. */
export function jobConfigDefinitions(options: SchemaOptions): Readonly<Record<string, JsonSchema>> {
  return { form_field: FORM_FIELD.schema(options), options_source: OPTIONS_SOURCE.schema(options) };
}

/** Reads one entry of `job_config`; null where it is no map, or its type is not known. */
export function readEntry(check: DocumentCheck, value: unknown, path: Path): JobConfigEntry | null {
  if (!isRecord(value)) {
    check.add(path, `"${path.at(-1)}" must be a map, not ${typeName(value)}`);
    return null;
  }
  const bare = new MapReader(check, value, path);
  const forbidden = ['id', 'config_key'].filter((key) => Object.hasOwn(value, key));
  for (const key of forbidden) {
    bare.wrong(key, `An entry has no "${key}": its key in "job_config" is its name`, 'key');
  }
  TYPE.read(bare, 'type');
  const type = TYPES.find((known) => known === value['type']);
  if (type === undefined) return null;
  const { names, from } = ENTRIES[type];
  const reader = readMap(check, value, path, { keys: [...names.keys, ...forbidden] });
  return reader === null ? null : from(reader);
}

/** Entries by their keys, and the fields of those that are forms, as other places of the document read them. */
export function declareEntries(check: DocumentCheck, entries: readonly (readonly [string, unknown])[]): void {
  const typeOf = (entry: unknown) => (isRecord(entry) ? TYPES.find((type) => type === entry['type']) : null);
  check.declare(
    'job_config',
    entries.map(([key, entry]) => [key, typeOf(entry) ?? null]),
  );
  for (const [key, entry] of entries) {
    if (!isRecord(entry) || entry['type'] !== 'form' || !Array.isArray(entry['fields'])) continue;
    const fields = entry['fields'].filter(isRecord).map((field) => [String(field['key']), null] as const);
    check.declare(`job_config.${key}`, fields);
  }
}

/** `depends_on` names other fields of the form, or other entries. */
function checkDependencies(check: DocumentCheck, path: Path, config: JobConfigSchema, key: string): void {
  const entry = config[key];
  const entries = Object.keys(config).filter((name) => name !== key);
  if (entry?.type === 'form') checkFieldDependencies(check, [...path, 'fields'], entry.fields, entries);
  if (entry?.type !== 'field_mapping') return;
  for (const side of ['source', 'target'] as const) {
    const names = entry[side].optionsSource?.dependsOn ?? [];
    checkDependsOn(check, [...path, side, 'options_source'], names, entries);
  }
}
