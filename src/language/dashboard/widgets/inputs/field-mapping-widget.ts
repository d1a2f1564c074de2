import { name } from '../../../declare/values.ts';
import type { FieldMappingEntry } from '../../../template/field-mapping.ts';
import { fieldOf, recordsOf, textOrNull } from '../payload-input.ts';
import { entryOfTemplate } from '../widget-fit.ts';
import { widgetKind } from '../widget-kind.ts';
import { type InputState, type OptionsSourceView, optionsSourceView } from './input-view.ts';

export const fieldMappingWidget = widgetKind({
  type: 'field_mapping',
  words: 'An editor of a `field_mapping` entry of the job’s configuration.',
  width: 12,
  bound: false,
  keys: {
    config_key: name(
      'The key of the mapping in the job’s configuration. Default: the id of the widget.',
      'key',
    ),
  },
  rules: [entryOfTemplate('field_mapping')],
});

export interface FieldMappingPayload {
  readonly schema: {
    readonly title: string | null;
    readonly description: null;
    /** Whether the viewer may write an expression for a row. */
    readonly allow_transform: boolean;
    readonly source: OptionsSourceView | null;
    readonly target: OptionsSourceView | null;
  };
  readonly rows: readonly MappingRowView[];
  readonly version: number;
  readonly readonly: boolean;
  readonly reason: string | null;
}

export interface MappingRowView {
  readonly source_field: string;
  readonly target_field: string;
  readonly transform: string | null;
  /** In the public view of a row with an expression, whose text is not shown. */
  readonly has_transform?: true;
}

export interface FieldMappingInput extends InputState {
  readonly key: string;
  readonly entry: FieldMappingEntry;
  readonly version: number;
  readonly jobConfig: Readonly<Record<string, unknown>>;
}

/** A mapping with its saved rows. Names all that a viewer sees; a stranger sees no expression, and may write none. */
export function fieldMappingPayload(input: FieldMappingInput): FieldMappingPayload {
  const { key, entry, version, jobConfig, publicView, refusal } = input;
  return {
    schema: {
      title: entry.title,
      description: null,
      allow_transform: entry.allowTransform && !publicView,
      source: optionsSourceView(entry.source.optionsSource),
      target: optionsSourceView(entry.target.optionsSource),
    },
    rows: recordsOf(fieldOf(jobConfig, key)).map((row) => rowView(row, publicView)),
    version,
    readonly: refusal !== null,
    reason: refusal,
  };
}

function rowView(row: Readonly<Record<string, unknown>>, publicView: boolean): MappingRowView {
  const fields = {
    source_field: textOrNull(row['source_field']) ?? '',
    target_field: textOrNull(row['target_field']) ?? '',
  };
  const transform = textOrNull(row['transform']);
  if (!publicView) return { ...fields, transform };
  return { ...fields, transform: null, ...(transform === null ? {} : { has_transform: true }) };
}
