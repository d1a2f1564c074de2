import { validationError } from '../../base/errors.ts';
import { DocumentCheck } from '../yaml/document-check.ts';
import { MapReader } from '../yaml/map-reader.ts';
import { readFormFields } from './form-field.ts';
import type { FormField, JobConfigEntry, OptionsSource } from './job-config.ts';
import { readOptionsSource } from './options-source.ts';
import { readEntry } from './read-job-config.ts';

type Stored = Readonly<Record<string, unknown>>;

/** Which connectors there are was checked when the document was saved. */
const CONTEXT = { connectors: null };

/** An entry of `job_config` from its source as JSON, which was checked when it was saved. Throws a `VALIDATION_ERROR` otherwise. */
export function entryOf(source: Stored): JobConfigEntry | null {
  return readStored(source, (reader) => readEntry(reader, CONTEXT));
}

/** Form fields from their source as JSON, as `entryOf`. */
export function fieldsOf(source: unknown): readonly FormField[] {
  return readStored({ input: source }, (reader) => readFormFields(reader, 'input', CONTEXT));
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
  return readStored({ options_source: merged }, (reader) => readOptionsSource(reader, CONTEXT));
}

function readStored<T>(source: Stored, read: (reader: MapReader) => T): T {
  // What is read here is no text any more: a place in it would mean nothing.
  const check = new DocumentCheck({ positionOf: () => ({ line: 1, column: 1 }) });
  const value = read(new MapReader(check, source, []));
  if (!check.failed) return value;
  throw validationError(check.problems.map(({ path, message }) => ({ path, message })));
}
