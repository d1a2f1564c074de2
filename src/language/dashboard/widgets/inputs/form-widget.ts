import { isRecord } from '../../../../base/json.ts';
import { shown } from '../../../declare/value.ts';
import { name, oneOf, text } from '../../../declare/values.ts';
import type { Scope } from '../../../expression/expression.ts';
import type { FormField } from '../../../template/form-field.ts';
import type { FormEntry } from '../../../template/job-config.ts';
import { formScope } from '../../../template/settle-fields.ts';
import { fieldOf } from '../payload-input.ts';
import { entryOfTemplate } from '../widget-fit.ts';
import { widgetKind } from '../widget-kind.ts';
import { type InputState, type OptionsSourceView, optionsSourceView } from './input-view.ts';

export const formWidget = widgetKind({
  type: 'form',
  words: 'Typed fields that edit a `form` entry of the job’s configuration.',
  width: 6,
  bound: false,
  keys: {
    config_key: name('The key of the form in the job’s configuration. Default: the id of the widget.', 'key'),
    submit_label: shown(text('The label of the button. Default: Save.')),
    layout: shown(oneOf('Layout of the fields.', ['one_column', 'two_columns'], { default: 'one_column' })),
  },
  rules: [entryOfTemplate('form')],
});

export interface FormPayload {
  readonly schema: {
    readonly title: string | null;
    readonly description: string | null;
    readonly fields: readonly FormFieldView[];
  };
  /** The saved values of the fields. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly version: number;
  readonly readonly: boolean;
  readonly reason: string | null;
}

export interface FormFieldView {
  readonly key: string;
  readonly label: string;
  readonly type: FormField['type'];
  readonly required: boolean;
  readonly default: unknown;
  readonly format: FormField['format'];
  readonly depends_on: readonly string[];
  /** By its `hide_if_expr`, for the saved values. */
  readonly hidden: boolean;
  readonly options: FormField['options'];
  readonly options_source: OptionsSourceView | null;
}

export interface FormInput extends InputState {
  readonly key: string;
  readonly entry: FormEntry;
  readonly version: number;
  readonly jobConfig: Readonly<Record<string, unknown>>;
}

/** A form with its saved values. Names all that a viewer sees; connectors, methods, arguments and expressions are not among it. */
export async function formPayload(input: FormInput): Promise<FormPayload> {
  const { key, entry, version, jobConfig, refusal } = input;
  const saved = fieldOf(jobConfig, key);
  const values = isRecord(saved) ? saved : {};
  const known = entry.fields.filter((field) => Object.hasOwn(values, field.key));
  return {
    schema: {
      title: entry.title,
      description: entry.description,
      fields: await fieldViews(entry.fields, formScope(key, values, jobConfig)),
    },
    values: Object.fromEntries(known.map((field) => [field.key, values[field.key]])),
    version,
    readonly: refusal !== null,
    reason: refusal,
  };
}

/** Form fields as a viewer sees them; `scope` is what `hide_if_expr` reads. */
export async function fieldViews(
  fields: readonly FormField[],
  scope: Scope,
): Promise<readonly FormFieldView[]> {
  const views: FormFieldView[] = [];
  for (const field of fields) {
    views.push({
      key: field.key,
      label: field.label,
      type: field.type,
      required: field.required,
      default: field.default ?? null,
      format: field.format,
      depends_on: [...new Set([...field.dependsOn, ...(field.optionsSource?.dependsOn ?? [])])],
      hidden: field.hideIf !== null && (await field.hideIf.evaluate(scope)) === true,
      options: field.options?.map(({ label, value }) => ({ label, value })) ?? null,
      options_source: optionsSourceView(field.optionsSource),
    });
  }
  return views;
}
