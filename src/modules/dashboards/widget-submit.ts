import type { Problem } from '../../base/errors.ts';
import { validationError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { requireVersion } from '../../http/etag.ts';
import type { JobRow } from '../jobs/job.ts';
import type { CheckedEntry, JobConfigs } from '../jobs/job-config-service.ts';
import type { JobOptions } from '../jobs/job-options.ts';
import { placesOfEntry } from '../jobs/option-place.ts';
import { hideTransforms, keepTransforms } from './public-mapping.ts';
import { requireVisible } from './require-visible.ts';
import { ENTRY_TYPES } from './widget-inputs.ts';
import { entryOfWidget } from './widget-options.ts';
import { jobOfDashboard } from './widget-source.ts';
import { requireInput, requireType, toldTo, type WidgetReadDeps } from './widget-use.ts';
import type { SubmitRequest, WidgetUses, WidgetViewer } from './widget-viewer.ts';

const NOT_SAVED = 'This cannot be saved right now';

export interface WidgetSubmitDeps extends WidgetReadDeps {
  readonly jobOptions: Pick<JobOptions, 'missing'>;
  readonly jobConfigs: Pick<JobConfigs, 'checkEntry' | 'saveChecked'>;
}

interface Entry {
  readonly key: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Saves what a form or a field mapping was filled in with, as one entry of the job's configuration. */
export function createWidgetSubmit(deps: WidgetSubmitDeps): WidgetUses['submit'] {
  return async (row, widgetId, request, viewer) => {
    const widget = deps.documents.widget(row, widgetId, viewer.publicView);
    requireType(widget, ENTRY_TYPES, 'can be submitted');
    requireInput(viewer);
    await toldTo(viewer, NOT_SAVED, () => requireVisible(deps, row, widget, viewer));
    const job = await jobOfDashboard(deps.db, row);
    requireVersion(request.version ?? null, job.config_version);
    const entry = entryOfWidget(job, widget);
    const isPublicMapping = viewer.publicView && widget.type === 'field_mapping';
    const value = isPublicMapping
      ? keepTransforms(request.value, savedOf(job, entry.key), widgetId)
      : request.value;
    const checked = await check(job, entry, value, viewer);
    const shown = isPublicMapping ? hideTransforms(checked.value) : checked.value;
    const problems = viewer.publicView
      ? checked.problems.map((problem) => underWidget(problem, entry.key, widgetId))
      : checked.problems;
    if (request.dryRun) {
      const version = job.config_version;
      return { saved: false, problems, hidden: checked.hidden, value: shown, version };
    }
    if (problems.length > 0) throw validationError(problems);
    const saved = await save(job, entry.key, checked.value, request, viewer);
    return { saved: true, problems: [], hidden: checked.hidden, value: shown, version: saved.config_version };
  };

  async function check(
    job: JobRow,
    entry: Entry,
    value: unknown,
    viewer: WidgetViewer,
  ): Promise<CheckedEntry> {
    const checked = await deps.jobConfigs.checkEntry(job, entry.key, value);
    if (checked.problems.length > 0) return checked;
    return { ...checked, problems: await missingOptions(job, entry, checked.value, viewer) };
  }

  /** Values of selects that their source does not give any more; those that were saved already stay as they are. */
  async function missingOptions(
    job: JobRow,
    { key, schema }: Entry,
    value: unknown,
    { signal }: WidgetViewer,
  ): Promise<Problem[]> {
    if (schema['type'] !== 'form' || !isRecord(value)) return [];
    const saved = savedOf(job, key);
    const before = isRecord(saved) ? saved : {};
    const asked = placesOfEntry(key, schema).map(async (place): Promise<Problem[]> => {
      const earlier = textsOf(before[place.side]);
      const changed = textsOf(value[place.side]).filter((text) => !earlier.includes(text));
      const missing = await deps.jobOptions.missing(job, place, value, changed, signal);
      return missing.map((text) => ({
        path: `${key}.${place.side}`,
        message: `"${text}" is not offered any more: choose another`,
      }));
    });
    return (await Promise.all(asked)).flat();
  }

  /** One who has no version is at the mercy of the last writer, as with a `PUT` without `If-Match`. */
  function save(
    job: JobRow,
    key: string,
    value: unknown,
    { version }: SubmitRequest,
    { actor }: WidgetViewer,
  ): Promise<JobRow> {
    return deps.jobConfigs.saveChecked(job.id, key, value, version ?? null, actor);
  }
}

function savedOf(job: JobRow, key: string): unknown {
  const values = JSON.parse(job.config_json) as Record<string, unknown>;
  return Object.hasOwn(values, key) ? values[key] : null;
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Strangers do not learn the names of the job's configuration. */
function underWidget(problem: Problem, key: string, widgetId: string): Problem {
  return problem.path.startsWith(key)
    ? { ...problem, path: widgetId + problem.path.slice(key.length) }
    : problem;
}
