import type { Problem } from '../../../base/errors.ts';
import { canonicalJson, isRecord } from '../../../base/json.ts';
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
 * Asks whether what a form's selects hold is still offered. What was saved already stays as it is while what its options depend on does,
 * and where a source has more than one page, or does not answer, its values pass.
 */
export function createOfferedValues({ missing }: Pick<JobOptions, 'missing'>): OfferedValues {
  return async (job, key, value, signal, scope = null) => {
    const schema = parsedOf(job).jobConfig[key];
    if (!isRecord(schema) || schema['type'] !== 'form' || !isRecord(value)) return [];
    const saved = (JSON.parse(job.config_json) as Record<string, unknown>)[key];
    const before = isRecord(saved) ? saved : {};
    const ask = (place: OptionPlace, values: readonly string[]) =>
      missing(job, place, value, values, signal, scope);
    return notOffered(placesOfEntry(key, schema), { path: key, value, before }, ask);
  };
}

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
  ask: (place: OptionPlace, values: readonly string[]) => Promise<readonly string[]>,
): Promise<readonly Problem[]> {
  const asked = places.map(async (place): Promise<Problem[]> => {
    const isSame = place.needs.every((name) => same(before[name], value[name]));
    const earlier = isSame ? textsOf(before[place.side]) : [];
    const changed = textsOf(value[place.side]).filter((text) => !earlier.includes(text));
    return (await ask(place, changed)).map((text) => ({
      path: `${path}.${place.side}`,
      message: `"${text}" is not offered any more: choose another`,
    }));
  });
  return (await Promise.all(asked)).flat();
}

function same(a: unknown, b: unknown): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
