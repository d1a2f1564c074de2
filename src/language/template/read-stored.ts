import { validationError } from '../../base/errors.ts';
import { submap } from '../declare/map.ts';
import { DocumentCheck } from '../yaml/document-check.ts';
import { MapReader } from '../yaml/map-reader.ts';
import { type FormField, formFields } from './form-field.ts';
import { type JobConfigEntry, readEntry } from './job-config.ts';
import { OPTIONS_SOURCE, type OptionsSource, withLabel } from './options-source.ts';

type Stored = Readonly<Record<string, unknown>>;

const FIELDS = formFields('', { required: true });
const SOURCE = submap(OPTIONS_SOURCE);

/** An entry of `job_config` from its source as JSON, which was checked when it was saved. Throws a `VALIDATION_ERROR` otherwise. */
export function entryOf(source: Stored): JobConfigEntry | null {
  return readStored(source, (reader) => readEntry(reader.check, reader.map, reader.path));
}

/** Form fields from their source as JSON, as `entryOf`. */
export function fieldsOf(source: unknown): readonly FormField[] {
  return readStored({ input: source }, (reader) => FIELDS.read(reader, 'input'));
}

/** An option source from its source as JSON, as `entryOf`. `label` and `value` are those that stand beside it. */
export function optionsSourceOf(
  source: Stored,
  label: string | null,
  value: string | null,
): OptionsSource | null {
  const merged = {
    ...source,
    ...(label === null ? {} : { label_expr: label }),
    ...(value === null ? {} : { value_expr: value }),
  };
  const read = readStored({ options_source: merged }, (reader) => SOURCE.read(reader, 'options_source'));
  return read && withLabel(read);
}

function readStored<T>(source: Stored, read: (reader: MapReader) => T): T {
  // What is read here is no text any more: a place in it would mean nothing. Which connectors there are was checked when it was saved.
  const check = new DocumentCheck({ positionOf: () => ({ line: 1, column: 1 }) });
  const value = read(new MapReader(check, source, []));
  if (!check.failed) return value;
  throw validationError(check.problems.map(({ path, message }) => ({ path, message })));
}
