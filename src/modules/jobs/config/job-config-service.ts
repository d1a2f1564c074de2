import type { Clock } from '../../../base/clock.ts';
import { AppError, notFound, type Problem, requireFound, validationError } from '../../../base/errors.ts';
import { canonicalJson } from '../../../base/json.ts';
import { parseJsonText } from '../../../base/text/parse-json-text.ts';
import { type ExpectedVersions, requireVersion } from '../../../http/etag.ts';
import type { ScopeProfile } from '../../../language/dashboard/scope-profile.ts';
import type { Store } from '../../../store/store.ts';
import type { Actor } from '../../audit/audit.ts';
import { createAudit } from '../../audit/audit-service.ts';
import { parsedOf } from '../../job-templates/job-template.ts';
import type { JobRow } from '../job.ts';
import { lockJob, selectJob, updateConfig } from '../job-store.ts';
import type { OfferedValues } from '../options/offered-values.ts';

/** Checks values against the template's `job_config`, in the worker host; returns them normalized. */
export type ValidateJobConfig = (
  templateYaml: string,
  values: unknown,
  key?: string,
  /** With `key`: the values of the other entries, which an entry's rules may read. */
  all?: Readonly<Record<string, unknown>>,
) => Promise<{
  readonly problems: readonly Problem[];
  readonly values: unknown;
  readonly hidden?: readonly string[];
}>;

/** A value of one entry after its check, which saves nothing. */
export interface CheckedEntry {
  readonly problems: readonly Problem[];
  /** Keys of the fields of a form that are hidden for this value. */
  readonly hidden: readonly string[];
  /** The value to store, if there are no problems. */
  readonly value: unknown;
}

export interface JobConfigsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly validateJobConfig: ValidateJobConfig;
  readonly offeredValues: OfferedValues;
}

/** For checks that continue even if the client has left. */
const NEVER = new AbortController().signal;

export type JobConfigs = ReturnType<typeof createJobConfigs>;

/** A job's runtime configuration. Saving affects future runs only: each run keeps the values of its start. */
export function createJobConfigs(deps: JobConfigsDeps) {
  const { store, validateJobConfig, offeredValues } = deps;

  async function jobOf(id: number): Promise<JobRow> {
    return requireFound(await selectJob(store.read, id), 'job', id);
  }

  async function saveEntry(
    id: number,
    key: string,
    value: unknown,
    expected: ExpectedVersions,
    actor: Actor,
  ): Promise<JobRow> {
    const job = await jobOf(id);
    const checked = await checkEntry(job, key, value);
    if (checked.problems.length > 0) throw validationError(checked.problems);
    return saveChecked(job, key, checked.value, expected, actor);
  }

  /** Every problem of a value, next to the saved values of the other entries; `NOT_FOUND` if the job has no such entry. */
  async function checkEntry(
    job: JobRow,
    key: string,
    value: unknown,
    signal: AbortSignal = NEVER,
    scope: ScopeProfile | null = null,
  ): Promise<CheckedEntry> {
    if (!Object.hasOwn(parsedOf(job).jobConfig, key)) throw notFound('job_config entry', key);
    const all = parseJsonText(job.config_json) as Record<string, unknown>;
    const { problems, hidden = [], values } = await validateJobConfig(job.yaml_content, value, key, all);
    const gone = await offeredValues(job, key, values, signal, scope);
    return { problems: joined(problems, gone), hidden, value: values };
  }

  /**
   * Saves what `checkEntry` returned for `job`. `PRECONDITION_FAILED` if the configuration is no longer at `expected`,
   * `CONFLICT` if the job was upgraded to another template meanwhile.
   */
  async function saveChecked(
    job: JobRow,
    key: string,
    value: unknown,
    expected: ExpectedVersions,
    actor: Actor,
  ): Promise<JobRow> {
    const change = { key, merge: (saved: Config) => ({ ...saved, [key]: value }) };
    return save(deps, job, change, expected, actor);
  }

  async function replace(
    id: number,
    values: Config,
    expected: ExpectedVersions,
    actor: Actor,
  ): Promise<JobRow> {
    const job = await jobOf(id);
    const checked = await validateJobConfig(job.yaml_content, values);
    const config = checked.values as Record<string, unknown>;
    const entries = Object.entries(config);
    const gone = await Promise.all(entries.map(([key, value]) => offeredValues(job, key, value, NEVER)));
    const problems = joined(checked.problems, gone.flat());
    if (problems.length > 0) throw validationError(problems);
    return save(deps, job, { key: '*', merge: () => config }, expected, actor);
  }

  return { saveEntry, checkEntry, saveChecked, replace };
}

type Config = Readonly<Record<string, unknown>>;

/** Saves the configuration that `merge` makes from the saved one, unless the job was upgraded since `checked` was read. */
async function save(
  { store, clock }: JobConfigsDeps,
  checked: JobRow,
  { key, merge }: { readonly key: string; readonly merge: (saved: Config) => Config },
  expected: ExpectedVersions,
  actor: Actor,
): Promise<JobRow> {
  return store.write(async (tx) => {
    const job = requireFound(await lockJob(tx, store.dialect, checked.id), 'job', checked.id);
    requireSameTemplate(checked, job);
    requireVersion(expected, job.config_version);
    const saved = parseJsonText(job.config_json) as Config;
    const config = merge(saved);
    if (canonicalJson(config) === canonicalJson(saved)) return job;
    const row = await updateConfig(tx, job, config, actor.name, clock.now());
    const version = [job.config_version, row.config_version];
    await createAudit(clock)(tx, actor, 'job.config', job.id, { key, version });
    return row;
  });
}

/** All problems; for a field that is wrong already, a value missing from its options is not reported as well. */
function joined(problems: readonly Problem[], gone: readonly Problem[]): readonly Problem[] {
  const wrong = new Set(problems.map(({ path }) => path));
  return [...problems, ...gone.filter(({ path }) => !wrong.has(path))];
}

/** A check against one template does not hold for another. */
function requireSameTemplate(checked: JobRow, locked: JobRow): void {
  if (checked.yaml_content === locked.yaml_content) return;
  throw new AppError(
    'CONFLICT',
    `The job "${locked.name}" was upgraded in the meantime: review its configuration`,
  );
}
