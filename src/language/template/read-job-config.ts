import { isRecord } from '../../base/json.ts';
import { type MapReader, MapReader as Reader, readMap, typeName } from '../yaml/map-reader.ts';
import { checkDependsOn, checkFieldDependencies } from './check-depends-on.ts';
import { FIELD_MAPPING_KEYS, readFieldMapping } from './field-mapping.ts';
import { readFormFields } from './form-field.ts';
import type { FormEntry, JobConfigEntry, JobConfigSchema } from './job-config.ts';
import type { OptionsContext } from './options-source.ts';

const FORM_KEYS = { keys: ['type', 'title', 'description', 'fields'] };
const ENTRY_TYPES = ['form', 'field_mapping'] as const;

/** Reads the `job_config` section: what a job's owner may edit. */
export function readJobConfig(reader: MapReader, context: OptionsContext): JobConfigSchema {
  const schema: Record<string, JobConfigEntry> = {};
  for (const [key, value] of reader.entries('job_config', 'key')) {
    const path = reader.at('job_config', key);
    if (!isRecord(value)) {
      reader.check.add(path, `"${key}" must be a map, not ${typeName(value)}`);
      continue;
    }
    const entry = readEntry(new Reader(reader.check, value, path), context);
    if (entry !== null) schema[key] = entry;
  }
  for (const key of Object.keys(schema)) checkDependencies(reader, schema, key);
  return schema;
}

/** Reads one entry of `job_config`; null where its type is not known. */
export function readEntry(bare: MapReader, context: OptionsContext): JobConfigEntry | null {
  const forbidden = ['id', 'config_key'].filter((key) => Object.hasOwn(bare.map, key));
  for (const key of forbidden) {
    bare.wrong(key, `An entry has no "${key}": its key in "job_config" is its name`, 'key');
  }
  const type = bare.oneOf('type', ENTRY_TYPES, { required: true });
  if (type === null) return null;
  const { keys } = type === 'form' ? FORM_KEYS : FIELD_MAPPING_KEYS;
  const reader = readMap(bare.check, bare.map, bare.path, { keys: [...keys, ...forbidden] });
  if (reader === null) return null;
  return type === 'form' ? readForm(reader, context) : readFieldMapping(reader, context);
}

function readForm(reader: MapReader, context: OptionsContext): FormEntry {
  return {
    type: 'form',
    title: reader.text('title'),
    description: reader.text('description'),
    fields: readFormFields(reader, 'fields', context),
  };
}

/** `depends_on` names other fields of the form, or other entries. */
function checkDependencies(reader: MapReader, schema: JobConfigSchema, key: string): void {
  const entry = schema[key];
  const entries = Object.keys(schema).filter((name) => name !== key);
  const path = reader.at('job_config', key);
  if (entry?.type === 'form')
    checkFieldDependencies(reader.check, [...path, 'fields'], entry.fields, entries);
  if (entry?.type !== 'field_mapping') return;
  for (const side of ['source', 'target'] as const) {
    const names = entry[side].optionsSource?.dependsOn ?? [];
    checkDependsOn(reader.check, [...path, side, 'options_source'], names, entries);
  }
}
