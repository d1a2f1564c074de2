import { validationError } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json.ts';
import type { ScopeProfile } from '../../../language/dashboard/scope-profile.ts';
import type { DashboardRow } from '../../dashboards/dashboard.ts';
import { parsedOf } from '../../job-templates/job-template.ts';
import type { JobRow } from '../../jobs/job.ts';
import type { JobOptions } from '../../jobs/options/job-options.ts';
import { type OptionPlace, placeOfEntry, placeOfInput } from '../../jobs/options/option-place.ts';
import type { KnownWidget } from '../known-widget.ts';
import { requireVisible } from '../require-visible.ts';
import { entryKeyOf } from '../widget-inputs.ts';
import { jobOfDashboard, publicEntriesBeside } from '../widget-source.ts';
import { requireType, type WidgetReadDeps, type WidgetService } from '../widget-viewer.ts';

export interface WidgetOptionsDeps extends WidgetReadDeps {
  readonly jobOptions: Pick<JobOptions, 'page'>;
}

/** Pages of options of forms, field mappings and the inputs of actions. */
export function createWidgetOptions(deps: WidgetOptionsDeps): WidgetService['options'] {
  const { db, documents, jobOptions } = deps;
  return async (row, widgetId, { side, ...question }, viewer) => {
    const widget = documents.widget(row, widgetId, viewer.publicView);
    requireType(widget, ['form', 'field_mapping', 'action'], 'has options');
    await requireVisible(deps, row, widget, viewer);
    const job = await jobOfDashboard(db, row);
    const place = placeOf(job, widget, side);
    const scope = await scopeBeside(deps, row, widget);
    return jobOptions.page(job, place, question, viewer.signal, scope);
  };
}

/** The scope of a widget, with what people with any link of the job may change. */
async function scopeBeside(
  deps: WidgetReadDeps,
  row: DashboardRow,
  widget: KnownWidget,
): Promise<ScopeProfile | null> {
  const { scope } = widget;
  if (scope === null) return null;
  const beside = await publicEntriesBeside(deps, row, [widget]);
  return { ...scope, publicEntries: [...scope.publicEntries, ...beside] };
}

function placeOf(job: JobRow, widget: KnownWidget, side: string | undefined): OptionPlace {
  if (widget.type === 'action') return placeOfInput(widget.config['input'], side);
  const { key, schema } = entryOfWidget(job, widget);
  return placeOfEntry(key, schema, side);
}

/** The entry that a form or a mapping edits. `VALIDATION_ERROR` where the job has none, or one of another type. */
export function entryOfWidget(
  job: JobRow,
  widget: KnownWidget,
): { readonly key: string; readonly schema: Readonly<Record<string, unknown>> } {
  const key = entryKeyOf(widget);
  const entries = parsedOf(job).jobConfig;
  const schema = Object.hasOwn(entries, key) ? entries[key] : undefined;
  if (isRecord(schema) && schema['type'] === widget.type) return { key, schema };
  const message = `The job has no ${widget.type} "${key}" in its configuration, which the widget "${widget.id}" is for`;
  throw validationError([{ path: 'config_key', message }]);
}
