import type { Problem } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { parsedOf } from '../job-templates/job-template.ts';
import type { JobRow } from './job.ts';
import type { JobOptions } from './job-options.ts';
import { placesOfEntry } from './option-place.ts';

/** A problem for each value of an entry that its option source does not give. */
export type OfferedValues = (
  job: JobRow,
  key: string,
  value: unknown,
  signal: AbortSignal,
) => Promise<readonly Problem[]>;

/**
 * Asks whether what a form's selects hold is still offered. What was saved already stays as it is, and where a source has more than
 * one page, or does not answer, its values pass.
 */
export function createOfferedValues({ missing }: Pick<JobOptions, 'missing'>): OfferedValues {
  return async (job, key, value, signal) => {
    const schema = parsedOf(job).jobConfig[key];
    if (!isRecord(schema) || schema['type'] !== 'form' || !isRecord(value)) return [];
    const saved = (JSON.parse(job.config_json) as Record<string, unknown>)[key];
    const before = isRecord(saved) ? saved : {};
    const asked = placesOfEntry(key, schema).map(async (place): Promise<Problem[]> => {
      const earlier = textsOf(before[place.side]);
      const changed = textsOf(value[place.side]).filter((text) => !earlier.includes(text));
      const gone = await missing(job, place, value, changed, signal);
      return gone.map((text) => ({
        path: `${key}.${place.side}`,
        message: `"${text}" is not offered any more: choose another`,
      }));
    });
    return (await Promise.all(asked)).flat();
  };
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
