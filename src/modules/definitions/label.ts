import { z } from 'zod';
import { oneLine } from './definition-fields.ts';

/** Names with texts, such as `team: sales`: what a job is found by, and whose events are told. */
export type Labels = Readonly<Record<string, string>>;

const NAME_CHARS_MAX = 100;
const VALUE_CHARS_MAX = 200;
const LABELS_MAX = 50;
const FILTERS_MAX = 10;
const FILTER_CHARS_MAX = NAME_CHARS_MAX + 1 + VALUE_CHARS_MAX;

/** Labels in bodies of requests. A name holds no colon, which ends it in a filter. */
export const labelsField = z
  .record(
    oneLine(NAME_CHARS_MAX).regex(/^[^:]*$/, 'must not hold a colon'),
    z.union([z.literal(''), oneLine(VALUE_CHARS_MAX)]),
  )
  .refine((labels) => Object.keys(labels).length <= LABELS_MAX, `must not be more than ${LABELS_MAX} labels`);

/** `name:value`, or `name` for whatever value. */
export const labelText = z
  .string()
  .refine(
    (text) => text.length <= FILTER_CHARS_MAX && wantedLabel(text).name !== '',
    'must be "name:value" or "name"',
  );

/** The filter of a list. */
export const labelFilter = z
  .preprocess(
    (given) => (typeof given === 'string' ? [given] : given),
    z.array(labelText).max(FILTERS_MAX).optional(),
  )
  .describe(
    'Only jobs with this label: `name:value`, or `name` whatever its value. Repeated: with all of them',
  );

export interface WantedLabel {
  readonly name: string;
  /** Null: any. */
  readonly value: string | null;
}

/** Reads `name:value` or `name`; the value may hold colons. */
export function wantedLabel(text: string): WantedLabel {
  const colon = text.indexOf(':');
  if (colon === -1) return { name: text.trim(), value: null };
  return { name: text.slice(0, colon).trim(), value: text.slice(colon + 1).trim() };
}

export function hasLabel(labels: Labels, text: string): boolean {
  const { name, value } = wantedLabel(text);
  return Object.hasOwn(labels, name) && (value === null || labels[name] === value);
}
