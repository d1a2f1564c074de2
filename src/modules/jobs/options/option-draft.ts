import { isRecord } from '../../../base/json.ts';
import type { OptionPlace } from './option-place.ts';

const ROW_KEYS = ['source_field', 'target_field', 'transform'];

/**
 * A draft as the expressions of an option source may read it: the fields of its form with values of their types, else null, or rows of
 * texts, and nothing else. A map or a list in the place of a text would stand in the source's arguments as a condition of the sender's own,
 * such as `{"ne": "x"}` in a filter. Null where there is no draft.
 */
export function optionDraft({ fields }: Pick<OptionPlace, 'fields'>, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (fields === null) return Array.isArray(value) ? value.filter(isRecord).map(textsOfRow) : [];
  if (!isRecord(value)) return {};
  const given = fields.filter(({ key }) => Object.hasOwn(value, key));
  // Null, not absent, where a value does not fit: a condition without a value would be none.
  return Object.fromEntries(given.map(({ key, type }) => [key, fittingValue(type, value[key])]));
}

function fittingValue(type: string, value: unknown): unknown {
  switch (type) {
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'multi_select':
      return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : null;
    default:
      return typeof value === 'string' ? value : null;
  }
}

function textsOfRow(row: Readonly<Record<string, unknown>>): Readonly<Record<string, string | null>> {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return Object.fromEntries(ROW_KEYS.map((key) => [key, Object.hasOwn(row, key) ? text(row[key]) : null]));
}
