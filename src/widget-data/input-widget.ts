import { isRecord } from '../base/json.ts';
import { ConnectorError } from '../drivers/driver.ts';
import type { Widget } from '../language/dashboard/pages.ts';
import { actionPayload } from '../language/dashboard/widgets/inputs/action-widget.ts';
import { fieldMappingPayload } from '../language/dashboard/widgets/inputs/field-mapping-widget.ts';
import { formPayload } from '../language/dashboard/widgets/inputs/form-widget.ts';
import type { WidgetInput } from '../threads/messages/widget-calls.ts';
import { inputScope } from './prepare-action.ts';
import type { WidgetKit } from './widget-kit.ts';

/** The payload of a widget that takes input; undefined for a widget of any other type. */
export async function inputWidgetPayload(
  kit: WidgetKit,
  widget: Widget,
  input: WidgetInput,
): Promise<unknown> {
  const { context, publicView } = input;
  const state = { publicView, refusal: input.inputRefusal ?? null };
  switch (widget.type) {
    case 'action': {
      const fields = kit.actionFields(widget.config['input']);
      return actionPayload({
        ...state,
        refusal: state.refusal ?? nothingToRun(widget, input),
        last: input.lastAction ?? null,
        fields,
        scope: inputScope(context, defaultValues(fields)),
      });
    }
    case 'form':
    case 'field_mapping': {
      const { key, entry, version } = entryOf(kit, widget, input);
      const jobConfig = isRecord(context.job_config) ? context.job_config : {};
      return entry.type === 'form'
        ? formPayload({ ...state, key, entry, version, jobConfig })
        : fieldMappingPayload({ ...state, key, entry, version, jobConfig });
    }
    default:
      return undefined;
  }
}

/** Why an action could do nothing, or null; a public viewer sees no names. */
function nothingToRun({ config }: Widget, input: WidgetInput): string | null {
  const reason = missingOf(config['run'], input);
  return reason !== null && input.publicView ? 'It cannot be used right now' : reason;
}

function missingOf(run: unknown, { taskKeys, connectors }: WidgetInput): string | null {
  if (!isRecord(run)) return 'It has no "run", so that it does nothing';
  const { task, connector } = run;
  if (typeof task === 'string' && taskKeys?.includes(task) === false) return `The job has no task "${task}"`;
  if (typeof connector === 'string' && !Object.hasOwn(connectors, connector)) {
    return `There is no connector "${connector}"`;
  }
  return null;
}

function entryOf(kit: WidgetKit, widget: Widget, input: WidgetInput) {
  const own = widget.config['config_key'];
  const key = typeof own === 'string' ? own : widget.id;
  const info = input.entry ?? null;
  const entry = info === null ? null : kit.entry(info.schema);
  if (info === null || entry === null) {
    throw new ConnectorError(
      'CONFIG',
      `The job has no configuration "${key}"; declare it under "job_config"`,
    );
  }
  if (entry.type !== widget.type) {
    throw new ConnectorError('CONFIG', `The configuration "${key}" is a ${entry.type}, not a ${widget.type}`);
  }
  return { key: info.key, entry, version: info.version };
}

function defaultValues(
  fields: readonly { readonly key: string; readonly default: unknown }[],
): Record<string, unknown> {
  const set = fields.filter((field) => (field.default ?? null) !== null);
  return Object.fromEntries(set.map((field) => [field.key, field.default]));
}
