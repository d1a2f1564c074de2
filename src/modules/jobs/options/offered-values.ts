import type { Problem } from '../../../base/errors.ts';
import { canonicalJson, isRecord } from '../../../base/json.ts';
import { parseJsonText } from '../../../base/text/parse-json-text.ts';
import type { ScopeProfile } from '../../../language/dashboard/scope-profile.ts';
import { parsedOf } from '../../job-templates/job-template.ts';
import type { JobRow } from '../job.ts';
import type { JobOptions } from './job-options.ts';
import { type OptionPlace, placesOfEntry } from './option-place.ts';

/** A problem for each value of an entry that its option source does not give. */
export type OfferedValues = (
  job: JobRow,
  key: string,
  value: unknown,
  signal: AbortSignal,
  /** Of the widget that asks. */
  scope?: ScopeProfile | null,
) => Promise<readonly Problem[]>;

/**
 * Asks whether what a form's selects and the rows of a mapping hold is still offered. What was saved already stays as it is while
 * what its options depend on does, and where a source has more than one page, or does not answer, its values pass.
 */
export function createOfferedValues({ missing }: Pick<JobOptions, 'missing'>): OfferedValues {
  return async (job, key, value, signal, scope = null) => {
    const schema = parsedOf(job).jobConfig[key];
    if (!isRecord(schema)) return [];
    const saved = (parseJsonText(job.config_json) as Record<string, unknown>)[key];
    const places = placesOfEntry(key, schema);
    const ask: AskMissing = (place, values) => missing(job, place, value, values, signal, scope);
    if (schema['type'] === 'field_mapping')
      return notMappable(places, { path: key, value, before: saved }, ask);
    if (!isRecord(value)) return [];
    return notOffered(places, { path: key, value, before: isRecord(saved) ? saved : {} }, ask);
  };
}

/** Which of the values a place does not offer. */
type AskMissing = (place: OptionPlace, values: readonly string[]) => Promise<readonly string[]>;

interface ChosenValues {
  /** Where the values stand. */
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** What was saved already. */
  readonly before: Readonly<Record<string, unknown>>;
}

/** A problem for each chosen value that `ask` finds missing among those it is asked for. */
export async function notOffered(
  places: readonly OptionPlace[],
  { path, value, before }: ChosenValues,
  ask: AskMissing,
): Promise<readonly Problem[]> {
  const asked = places.map(async (place): Promise<Problem[]> => {
    const isSame = place.needs.every((name) => same(before[name], value[name]));
    const earlier = isSame ? textsOf(before[place.side]) : [];
    const changed = textsOf(value[place.side]).filter((text) => !earlier.includes(text));
    return (await ask(place, changed)).map((text) => ({
      path: `${path}.${place.side}`,
      message: notOfferedMessage(text),
    }));
  });
  return (await Promise.all(asked)).flat();
}

/** As `notOffered`, for the rows of a mapping: each names a field of the source and one of the target. */
async function notMappable(
  places: readonly OptionPlace[],
  { path, value, before }: { readonly path: string; readonly value: unknown; readonly before: unknown },
  ask: AskMissing,
): Promise<readonly Problem[]> {
  const asked = places.map(async (place): Promise<Problem[]> => {
    const key = `${place.side}_field`;
    const earlier = new Set(fieldsOf(before, key));
    const fields = fieldsOf(value, key);
    const changed = new Set(fields.filter((field) => field !== '' && !earlier.has(field)));
    const gone = new Set(await ask(place, [...changed]));
    return fields.flatMap((field, index) =>
      gone.has(field) ? [{ path: `${path}[${index}].${key}`, message: notOfferedMessage(field) }] : [],
    );
  });
  return (await Promise.all(asked)).flat();
}

/** By row; empty where a row has none. */
function fieldsOf(rows: unknown, key: string): readonly string[] {
  if (!Array.isArray(rows)) return [];
  return rows.map((row: unknown) => {
    const field = isRecord(row) ? row[key] : null;
    return typeof field === 'string' ? field : '';
  });
}

function notOfferedMessage(text: string): string {
  return `"${text}" is not offered any more: choose another`;
}

function same(a: unknown, b: unknown): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
