import type { Problem } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { didYouMean } from '../../base/text/suggest-name.ts';
import { typeName } from '../yaml/map-reader.ts';
import type { FieldMappingEntry } from './field-mapping.ts';
import { rowProblems, toMappingRows } from './field-mapping.ts';
import type { FormEntry, JobConfigSchema } from './job-config.ts';
import { answerOf, formScope, problemAt, settleFields } from './settle-fields.ts';

/** A value of one entry after its check: `value` is what to store where there are no problems. */
export interface SettledEntry {
  readonly problems: readonly Problem[];
  readonly value: unknown;
  /** Of a form: keys of the fields that are hidden for this value. */
  readonly hidden?: readonly string[];
}

/** The whole configuration after its check. */
export interface SettledJobConfig {
  readonly problems: readonly Problem[];
  /** What to store where there are no problems. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** The values of a new job: an object of the fields that have a default for each form, the default rows for each mapping. */
export function defaultsOf(schema: JobConfigSchema): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(schema)) {
    values[key] =
      entry.type === 'field_mapping'
        ? structuredClone(entry.default)
        : Object.fromEntries(
            entry.fields
              .filter((field) => field.default !== null && field.default !== undefined)
              .map((field) => [field.key, structuredClone(field.default)]),
          );
  }
  return values;
}

/** Every problem of a whole configuration; an entry that is absent counts as empty. */
export async function validateJobConfig(
  schema: JobConfigSchema,
  values: unknown,
): Promise<readonly Problem[]> {
  return (await settleJobConfig(schema, values)).problems;
}

/** Every problem of one entry's `value`; `all` are the values of all entries, which its expressions read. */
export async function validateJobConfigEntry(
  schema: JobConfigSchema,
  key: string,
  value: unknown,
  all: Readonly<Record<string, unknown>>,
): Promise<readonly Problem[]> {
  return (await settleJobConfigEntry(schema, key, value, all)).problems;
}

/** As `validateJobConfig`, and with the values to store. */
export async function settleJobConfig(schema: JobConfigSchema, values: unknown): Promise<SettledJobConfig> {
  if (!isRecord(values)) {
    return {
      problems: [{ path: '', message: `The configuration must be a map, not ${typeName(values)}` }],
      values: {},
    };
  }
  const problems: Problem[] = [];
  const settled: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(schema), ...Object.keys(values)])) {
    const given = Object.hasOwn(values, key) ? values[key] : undefined;
    const entry = Object.hasOwn(schema, key) ? schema[key] : undefined;
    const empty = entry?.type === 'field_mapping' ? [] : {};
    const result = await settleJobConfigEntry(schema, key, given === undefined ? empty : given, values);
    problems.push(...result.problems);
    if (entry !== undefined) settled[key] = result.value;
  }
  return { problems, values: settled };
}

/** As `validateJobConfigEntry`, and with the value to store: fields that are hidden are dropped, rows have all their keys. */
export async function settleJobConfigEntry(
  schema: JobConfigSchema,
  key: string,
  value: unknown,
  all: Readonly<Record<string, unknown>>,
): Promise<SettledEntry> {
  const entry = Object.hasOwn(schema, key) ? schema[key] : undefined;
  if (entry === undefined) {
    const hint = didYouMean(key, Object.keys(schema));
    return { problems: [problemAt([key], `There is no configuration entry "${key}"${hint}`)], value };
  }
  return entry.type === 'form' ? settleForm(entry, key, value, all) : settleMapping(entry, key, value, all);
}

async function settleForm(
  entry: FormEntry,
  key: string,
  value: unknown,
  all: Readonly<Record<string, unknown>>,
): Promise<SettledEntry> {
  if (!isRecord(value)) {
    return { problems: [problemAt([key], `"${key}" must be a map, not ${typeName(value)}`)], value };
  }
  return settleFields(entry.fields, value, (shown) => formScope(key, shown, all), [key]);
}

async function settleMapping(
  entry: FieldMappingEntry,
  key: string,
  value: unknown,
  all: Readonly<Record<string, unknown>>,
): Promise<SettledEntry> {
  const wrong = rowProblems(value, entry.allowTransform);
  if (wrong.length > 0) {
    return { problems: wrong.map(({ path, message }) => problemAt([key, ...path], message)), value };
  }
  const rows = toMappingRows(value);
  const problems: Problem[] = [];
  const scope = { value: rows, job_config: { ...all, [key]: rows } };
  const verdict = await answerOf(entry.validation, scope, [key], problems);
  for (const message of complaintsOf(verdict)) problems.push(problemAt([key], message));
  return { problems, value: rows };
}

/** True and nothing are a yes; a text, or a list of texts, says what is wrong; anything else is a plain no. */
function complaintsOf(verdict: unknown): readonly string[] {
  if (verdict === undefined || verdict === null || verdict === true) return [];
  if (typeof verdict === 'string') return [verdict === '' ? 'The mapping is not valid' : verdict];
  if (Array.isArray(verdict)) return verdict.flatMap(complaintsOf);
  return ['The mapping is not valid'];
}
