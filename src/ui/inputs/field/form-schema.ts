import type { Option } from '../../api/widget-calls.ts';
import { formatValue } from '../../kit/format-value.ts';
import { isExact } from '../../kit/numbers/exact-number.ts';
import { exampleNumber, readNumber } from '../../kit/numbers/typed-number.ts';
import { listOf, type WidgetConfig } from '../../kit/widget/widget-config.ts';
import type { InputWords } from '../../texts/en/widgets/inputs.ts';

export type FieldType = 'text' | 'number' | 'boolean' | 'select' | 'multi_select';

/** How options are searched: by the server, or in the browser if one page holds them all. */
export type OptionSearch = 'server' | 'page' | 'none';

/** A field of a form or of an action's input. */
export interface FormField {
  readonly key: string;
  readonly label: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly default: unknown;
  readonly format: 'email' | 'url' | null;
  /** Keys of the fields that its options depend on. */
  readonly dependsOn: readonly string[];
  /** Whether the saved values hide it. */
  readonly hidden: boolean;
  /** All its options; null if they come from the server. */
  readonly options: readonly Option[] | null;
  readonly search: OptionSearch;
}

/** A form's values by field key. */
export type FormValues = Readonly<Record<string, unknown>>;

/** Up to this many options, a touch screen's native list is better than a search. */
const nativeOptionsMax = 12;
const types = new Set<unknown>(['text', 'number', 'boolean', 'select', 'multi_select']);

/** Reads the fields of a payload or of a widget's `input`. Unknown types become text. Throws `PayloadError`. */
export function readFields(fields: unknown): readonly FormField[] {
  return listOf(fields as readonly WidgetConfig[] | null | undefined, 'a list of fields').map((field) => {
    const type = types.has(field['type']) ? (field['type'] as FieldType) : 'text';
    const source = field['options_source'] as { readonly search?: OptionSearch } | null | undefined;
    return {
      key: String(field['key']),
      label: String(field['label'] ?? field['key']),
      type,
      required: field['required'] === true,
      default: field['default'] ?? null,
      format: field['format'] === 'email' || field['format'] === 'url' ? field['format'] : null,
      dependsOn: Array.isArray(field['depends_on']) ? field['depends_on'].map(String) : [],
      hidden: field['hidden'] === true,
      options: Array.isArray(field['options']) ? (field['options'] as readonly Option[]) : null,
      search: source?.search ?? 'none',
    };
  });
}

/** The saved values, with an empty value for each absent one. Defaults are not filled in: runs do not see them either. */
export function fillValues(fields: readonly FormField[], saved: FormValues): FormValues {
  return Object.fromEntries(fields.map((field) => [field.key, saved[field.key] ?? emptyOf(field.type)]));
}

/** The initial values of fields that were never saved. */
export function defaultValues(fields: readonly FormField[]): FormValues {
  return fillValues(fields, Object.fromEntries(fields.map((field) => [field.key, field.default])));
}

function emptyOf(type: FieldType): unknown {
  if (type === 'boolean') return false;
  if (type === 'multi_select') return [];
  return type === 'number' ? null : '';
}

/** The values to send. Empty text, numbers and choices are left out. */
export function valuesToSend(fields: readonly FormField[], values: FormValues): FormValues {
  return Object.fromEntries(
    fields
      .map((field) => [field.key, values[field.key]] as const)
      .filter(([, value]) => value !== null && value !== undefined && value !== ''),
  );
}

/** Whether two values are equal. Absent equals empty, and the order of chosen options does not matter. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return comparable(one) === comparable(other);
}

function comparable(value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  if (Array.isArray(value)) return value.length === 0 ? '' : JSON.stringify([...value].sort());
  return JSON.stringify(value);
}

/** Whether two drafts of a form are equal in all fields. */
export function isSameForm(fields: readonly FormField[], one: FormValues, other: FormValues): boolean {
  return fields.every((field) => isSameValue(one[field.key], other[field.key]));
}

/** The fields that must be filled in before a dependent field has options. */
export function missingFor(
  field: FormField,
  fields: readonly FormField[],
  values: FormValues,
): readonly FormField[] {
  return fields.filter(
    (other) => field.dependsOn.includes(other.key) && comparable(values[other.key]) === '',
  );
}

/** Whether a touch screen shows the field as a native list. */
export function fitsNativeList(field: FormField): boolean {
  return field.type === 'select' && field.options !== null && field.options.length <= nativeOptionsMax;
}

/** A value as text, with the labels of options if known. Empty if there is no value. */
export function valueInWords(field: FormField, value: unknown): string {
  if (comparable(value) === '') return '';
  const labelOf = (item: unknown) =>
    field.options?.find((option) => option.value === item)?.label ?? formatValue(item, 'text');
  if (Array.isArray(value)) return value.map(labelOf).join(', ');
  return field.type === 'number' ? formatValue(value) : labelOf(value);
}

/** The value of a number field for what is typed: the typed text itself where it is not a number, which `numberProblem` then says. */
export function typedValue(text: string): unknown {
  const read = readNumber(text);
  return read.kind === 'number' ? read.value : text;
}

/** What is wrong with the value of a number field, in the page's language; null for nothing. */
export function numberProblem({ type }: FormField, value: unknown, words: InputWords): string | null {
  if (type !== 'number' || typeof value !== 'string' || value === '') return null;
  const isNumber = /^-?\d+(?:\.\d+)?$/.test(value) && !isExact(value);
  return isNumber ? words.tooManyDigits : words.notANumber(exampleNumber());
}

/** The problems of all number fields, by their keys. */
export function numberProblems(
  fields: readonly FormField[],
  values: FormValues,
  words: InputWords,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    fields.flatMap((field) => {
      const problem = numberProblem(field, values[field.key], words);
      return problem === null ? [] : [[field.key, [problem]] as const];
    }),
  );
}
