import { validationError } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json.ts';
import { parseJsonText } from '../../../base/text/parse-json-text.ts';
import type { JobRow } from '../job.ts';
import type { ValidateJobConfig } from './job-config-service.ts';

/**
 * The configuration of runs with an override, checked like a saved one: `VALIDATION_ERROR` with every problem. Without an
 * override, the job's own. Nothing is saved.
 */
export async function overriddenConfig(
  validateJobConfig: ValidateJobConfig,
  job: Pick<JobRow, 'yaml_content' | 'config_json'>,
  override: Readonly<Record<string, unknown>> | null,
): Promise<Record<string, unknown>> {
  const saved = parseJsonText(job.config_json) as Record<string, unknown>;
  if (override === null) return saved;
  const checked = await validateJobConfig(job.yaml_content, mergeConfig(saved, override));
  if (checked.problems.length > 0) throw validationError(checked.problems);
  return checked.values as Record<string, unknown>;
}

/** `override` over `base`: maps are merged at every depth, everything else is replaced. */
export function mergeConfig(
  base: Readonly<Record<string, unknown>>,
  override: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = new Map<string, unknown>(Object.entries(base));
  for (const [key, value] of Object.entries(override)) {
    const old = merged.get(key);
    merged.set(key, isRecord(old) && isRecord(value) ? mergeConfig(old, value) : value);
  }
  return Object.fromEntries(merged);
}
