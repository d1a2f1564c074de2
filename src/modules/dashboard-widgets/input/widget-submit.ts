import { type Problem, validationError } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json.ts';
import { parseJsonText } from '../../../base/text/parse-json-text.ts';
import { type ExpectedVersions, requireVersion } from '../../../http/etag.ts';
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
    requireVersion(expectedOf(request), job.config_version);
    const entry = entryOfWidget(job, widget);
    const isPublicMapping = viewer.publicView && widget.type === 'field_mapping';
    const value = isPublicMapping
      ? keepTransforms(request.value, savedOf(job, entry.key), widgetId)
      : request.value;
    const checked = await deps.jobConfigs.checkEntry(job, entry.key, value, viewer.signal, widget.scope);
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

  function save(
    job: JobRow,
    key: string,
    value: unknown,
    request: SubmitRequest,
    { actor }: WidgetViewer,
  ): Promise<JobRow> {
    return deps.jobConfigs.saveChecked(job, key, value, expectedOf(request), actor);
  }
}

/** Without a version the last write wins, as with a `PUT` without `If-Match`. */
function expectedOf({ version }: SubmitRequest): ExpectedVersions {
  return version === undefined ? null : [version];
}

function savedOf(job: JobRow, key: string): unknown {
  const values = parseJsonText(job.config_json) as Record<string, unknown>;
  return Object.hasOwn(values, key) ? values[key] : null;
}

/** Strangers do not learn the names of the job's configuration. */
function underWidget(problem: Problem, key: string, widgetId: string): Problem {
  return problem.path.startsWith(key)
    ? { ...problem, path: widgetId + problem.path.slice(key.length) }
    : problem;
}

/**
 * The rows of a mapping that a stranger sends, with the expressions that are saved for the same pairs of fields. `VALIDATION_ERROR`
 * for a row with an expression of its own. What is no row stays as it is, for the check to refuse.
 */
export function keepTransforms(value: unknown, saved: unknown, entryKey: string): unknown {
  if (!Array.isArray(value)) return value;
  const kept = transformsOf(saved);
  const problems: Problem[] = [];
  const rows = value.map((row: unknown, index) => {
    if (!isRecord(row)) return row;
    const { has_transform: _shown, ...own } = row;
    if ((own['transform'] ?? null) !== null) {
      const message = 'An expression cannot be set here: leave "transform" out, and the saved one stays';
      problems.push({ path: `${entryKey}[${index}].transform`, message });
    }
    return { ...own, transform: kept.get(pairOf(row)) ?? null };
  });
  if (problems.length > 0) throw validationError(problems);
  return rows;
}

/** Rows as a stranger may see them: that there is an expression, never which. */
export function hideTransforms(rows: unknown): unknown {
  if (!Array.isArray(rows)) return rows;
  return rows.map((row: unknown) => {
    if (!isRecord(row)) return row;
    return { ...row, transform: null, ...((row['transform'] ?? null) !== null && { has_transform: true }) };
  });
}

function transformsOf(saved: unknown): ReadonlyMap<string, unknown> {
  const rows = Array.isArray(saved) ? saved.filter(isRecord) : [];
  return new Map(rows.map((row) => [pairOf(row), row['transform']]));
}

function pairOf(row: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([row['source_field'], row['target_field']]);
}
