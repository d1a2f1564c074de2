import type { Problem } from '../../../base/errors.ts';
import { validationError } from '../../../base/errors.ts';
import { requireVersion } from '../../../http/etag.ts';
import type { JobConfigs } from '../../jobs/config/job-config-service.ts';
import type { JobRow } from '../../jobs/job.ts';
import { requireVisible } from '../require-visible.ts';
import { ENTRY_TYPES } from '../widget-inputs.ts';
import { jobOfDashboard } from '../widget-source.ts';
import {
  requireInput,
  requireType,
  type SubmitRequest,
  type WidgetReadDeps,
  type WidgetService,
  type WidgetViewer,
} from '../widget-viewer.ts';
import { hideTransforms, keepTransforms } from './public-mapping.ts';
import { entryOfWidget } from './widget-options.ts';

export interface WidgetSubmitDeps extends WidgetReadDeps {
  readonly jobConfigs: Pick<JobConfigs, 'checkEntry' | 'saveChecked'>;
}

/** Saves what a form or a field mapping was filled in with, as one entry of the job's configuration. */
export function createWidgetSubmit(deps: WidgetSubmitDeps): WidgetService['submit'] {
  return async (row, widgetId, request, viewer) => {
    const widget = deps.documents.widget(row, widgetId, viewer.publicView);
    requireType(widget, ENTRY_TYPES, 'can be submitted');
    requireInput(viewer);
    await requireVisible(deps, row, widget, viewer);
    const job = await jobOfDashboard(deps.db, row);
    requireVersion(request.version ?? null, job.config_version);
    const entry = entryOfWidget(job, widget);
    const isPublicMapping = viewer.publicView && widget.type === 'field_mapping';
    const value = isPublicMapping
      ? keepTransforms(request.value, savedOf(job, entry.key), widgetId)
      : request.value;
    const checked = await deps.jobConfigs.checkEntry(job, entry.key, value, viewer.signal);
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

  /** One who has no version is at the mercy of the last writer, as with a `PUT` without `If-Match`. */
  function save(
    job: JobRow,
    key: string,
    value: unknown,
    { version }: SubmitRequest,
    { actor }: WidgetViewer,
  ): Promise<JobRow> {
    return deps.jobConfigs.saveChecked(job, key, value, version ?? null, actor);
  }
}

function savedOf(job: JobRow, key: string): unknown {
  const values = JSON.parse(job.config_json) as Record<string, unknown>;
  return Object.hasOwn(values, key) ? values[key] : null;
}

/** Strangers do not learn the names of the job's configuration. */
function underWidget(problem: Problem, key: string, widgetId: string): Problem {
  return problem.path.startsWith(key)
    ? { ...problem, path: widgetId + problem.path.slice(key.length) }
    : problem;
}
