import type { Problem } from '../../../base/errors.ts';
import { canonicalJson, isRecord } from '../../../base/json.ts';
import { parseJsonText } from '../../../base/text/parse-json-text.ts';
import type { TemplateInfo } from '../../../threads/messages/definition-info.ts';
import type { ValidateJobConfig } from '../config/job-config-service.ts';
import { mergeConfig } from '../config/override-config.ts';
import type { JobRow } from '../job.ts';
import type { OfferedValues } from '../options/offered-values.ts';

type Values = Readonly<Record<string, unknown>>;

/** The change of one entry of a job's configuration; null: absent. */
export interface ConfigChange {
  readonly key: string;
  readonly action: 'add' | 'remove' | 'change';
  readonly before: unknown;
  readonly after: unknown;
}

export interface PlannedConfig {
  readonly values: Values;
  readonly changes: readonly ConfigChange[];
  readonly problems: readonly Problem[];
}

export interface PlanConfigDeps {
  readonly validateJobConfig: ValidateJobConfig;
  readonly offeredValues: OfferedValues;
}

/**
 * The job's configuration for its new template: new entries and fields get their defaults, removed ones are left out, and the
 * caller's values are merged over it. Then it is checked like a saved one. `target` is the future job with its present
 * configuration.
 */
export async function planConfig(
  { validateJobConfig, offeredValues }: PlanConfigDeps,
  {
    before,
    after,
    target,
    given,
  }: {
    readonly before: TemplateInfo;
    readonly after: TemplateInfo;
    readonly target: JobRow;
    readonly given: Values;
  },
): Promise<PlannedConfig> {
  const saved = parseJsonText(target.config_json) as Values;
  const isSame = canonicalJson(before.jobConfig) === canonicalJson(after.jobConfig);
  if (isSame && Object.keys(given).length === 0) return { values: saved, changes: [], problems: [] };
  const carried = mergeConfig(carryOver(before, after, saved), given);
  const checked = await validateJobConfig(target.yaml_content, carried);
  const isWhole = checked.problems.length === 0;
  const values = isWhole ? (checked.values as Values) : carried;
  const asked = isWhole ? Object.keys(given) : [];
  const never = new AbortController().signal;
  const gone = await Promise.all(asked.map((key) => offeredValues(target, key, values[key], never)));
  const problems = [...checked.problems, ...gone.flat()].map((problem) => ({
    ...problem,
    path: problem.path === '' ? 'config' : `config.${problem.path}`,
  }));
  return { values, changes: changesOf(before, after, saved, values), problems };
}

function carryOver(before: TemplateInfo, after: TemplateInfo, saved: Values): Values {
  const entries = Object.keys(after.jobConfig).map((key) => {
    const fallback = after.jobConfigDefaults[key];
    if (!Object.hasOwn(before.jobConfig, key) || !Object.hasOwn(saved, key)) return [key, fallback] as const;
    const [was, is, value] = [before.jobConfig[key], after.jobConfig[key], saved[key]];
    const [oldFields, fields] = [fieldKeysOf(was), fieldKeysOf(is)];
    if (oldFields === null || fields === null || !isRecord(value)) return [key, value] as const;
    const defaults = isRecord(fallback) ? Object.entries(fallback) : [];
    const kept = Object.entries(value).filter(([field]) => fields.has(field));
    const added = defaults.filter(([field]) => !oldFields.has(field));
    return [key, Object.fromEntries(new Map([...added, ...kept]))] as const;
  });
  return Object.fromEntries(entries);
}

/** The fields of a form; null for another kind of entry. */
function fieldKeysOf(entry: unknown): ReadonlySet<string> | null {
  if (!isRecord(entry) || entry['type'] !== 'form' || !Array.isArray(entry['fields'])) return null;
  return new Set(entry['fields'].flatMap((field) => (isRecord(field) ? [String(field['key'])] : [])));
}

function changesOf(before: TemplateInfo, after: TemplateInfo, saved: Values, values: Values): ConfigChange[] {
  const keys = [
    ...new Set([...Object.keys(saved), ...Object.keys(before.jobConfig), ...Object.keys(values)]),
  ];
  return keys.flatMap((key): ConfigChange[] => {
    const [was, is] = [ownOrNull(saved, key), ownOrNull(values, key)];
    const change = { key, before: was, after: is };
    if (!Object.hasOwn(after.jobConfig, key))
      return Object.hasOwn(saved, key) ? [{ ...change, action: 'remove', after: null }] : [];
    if (!Object.hasOwn(before.jobConfig, key)) return [{ ...change, action: 'add' }];
    const isSameEntry = canonicalJson(before.jobConfig[key]) === canonicalJson(after.jobConfig[key]);
    if (isSameEntry && canonicalJson(was) === canonicalJson(is)) return [];
    return [{ ...change, action: 'change' }];
  });
}

function ownOrNull(values: Values, key: string): unknown {
  return Object.hasOwn(values, key) ? (values[key] ?? null) : null;
}
