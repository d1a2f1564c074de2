import { type Problem, validationError } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json.ts';

export interface InlineOption {
  readonly label: string;
  readonly value: string;
}

/** One place that has options: a field of a form, or a side of a mapping. `inline` or `source` is set, never both. */
export interface OptionPlace {
  /** The key of the `job_config` entry; empty for an action's input. */
  readonly entryKey: string;
  readonly side: string;
  readonly inline: readonly InlineOption[] | null;
  /** `options_source` as its author wrote it. */
  readonly source: Readonly<Record<string, unknown>> | null;
  readonly labelExpr: string | null;
  readonly valueExpr: string | null;
  /** All fields of the form, whose values a draft may hold; null for a mapping. */
  readonly fields: readonly { readonly key: string; readonly type: string }[] | null;
  /** Fields of the same form without whose values there is nothing to offer. */
  readonly needs: readonly string[];
}

type Raw = Readonly<Record<string, unknown>>;

/** The place that `side` names in an entry of `job_config`. `VALIDATION_ERROR` names the sides there are. */
export function placeOfEntry(entryKey: string, schema: Raw, side: string | undefined): OptionPlace {
  return chosen(placesOfEntry(entryKey, schema), side, `"${entryKey}"`);
}

/** The place that `side` names among the input fields of an action. `VALIDATION_ERROR` names the sides there are. */
export function placeOfInput(fields: unknown, side: string | undefined): OptionPlace {
  return chosen(placesOfFields('', fields), side, 'The input of the action');
}

/** Every place of an entry, in its order. */
export function placesOfEntry(entryKey: string, schema: Raw): readonly OptionPlace[] {
  if (schema['type'] === 'form') return placesOfFields(entryKey, schema['fields']);
  return ['source', 'target'].flatMap((side) => {
    const of = schema[side];
    const source = isRecord(of) ? of['options_source'] : null;
    if (!isRecord(of) || !isRecord(source)) return [];
    const [labelExpr, valueExpr] = [textOrNull(of['label_expr']), textOrNull(of['value_expr'])];
    return [{ entryKey, side, inline: null, source, labelExpr, valueExpr, fields: null, needs: [] }];
  });
}

/** Every place of some form fields, in their order; `entryKey` is empty for an action's input. */
export function placesOfFields(entryKey: string, fields: unknown): readonly OptionPlace[] {
  const list = Array.isArray(fields) ? fields.filter(isRecord) : [];
  const keys = new Set(list.map((field) => field['key']));
  const fieldTypes = list.map(({ key, type }) => ({ key: String(key), type: String(type) }));
  return list.flatMap((field) => {
    const source = isRecord(field['options_source']) ? field['options_source'] : null;
    const inline = Array.isArray(field['options']) ? field['options'].filter(isInline) : null;
    if (typeof field['key'] !== 'string' || (source === null && inline === null)) return [];
    const needs = [...namesIn(field['depends_on']), ...namesIn(source?.['depends_on'])];
    return [
      {
        entryKey,
        side: field['key'],
        inline: source === null ? inline : null,
        source,
        labelExpr: null,
        valueExpr: null,
        fields: fieldTypes,
        needs: [...new Set(needs)].filter((name) => keys.has(name)),
      },
    ];
  });
}

function chosen(places: readonly OptionPlace[], side: string | undefined, where: string): OptionPlace {
  const found = places.find((place) => place.side === side);
  if (found !== undefined) return found;
  throw validationError([{ path: 'side', message: messageFor(places, side, where) }]);
}

function messageFor(
  places: readonly OptionPlace[],
  side: string | undefined,
  where: string,
): Problem['message'] {
  if (places.length === 0) return `${where} has nothing to choose from`;
  const sides = places.map((place) => `"${place.side}"`).join(', ');
  if (side === undefined) return `"side" is required: give one of ${sides}`;
  return `${where} has no options under the side "${side}": give one of ${sides}`;
}

function isInline(option: unknown): option is InlineOption {
  return isRecord(option) && typeof option['label'] === 'string' && typeof option['value'] === 'string';
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
