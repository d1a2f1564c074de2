import { z } from 'zod';

const name = z.string().min(1).max(200);
const field = z
  .string()
  .max(500)
  .regex(
    /^[^.{}]+(\.[^.{}]+)*$/,
    'Write the keys that lead to the value with dots between, such as "address.id"',
  );

const parentMap = z.strictObject({
  resource: name.describe('Name of the parent resource.'),
  include: z
    .union([z.array(field).min(1).max(50), z.record(name, field)])
    .optional()
    .describe(
      'Fields of the parent record to add to each record: a list, whose columns are named `<parent>_<field>`, or a map `column: field`.',
    ),
  concurrency: z
    .int()
    .min(1)
    .max(64)
    .default(4)
    .describe('Parent records whose lists are requested at the same time, within the rate limit.'),
});

/** `parent: customers`, or `parent: {resource, include, concurrency}`. */
export const parentConfig = z
  .union([name, parentMap])
  .transform((given) => (typeof given === 'string' ? parentMap.parse({ resource: given }) : given))
  .describe(
    'The resource whose records have this list each. `path`, `query` and `body` contain their fields, as in `/customers/{customers.id}/orders`. Its name, or a map.',
  );

export type ParentConfig = z.output<typeof parentConfig>;

const PLACEHOLDER = /\{([^{}]+)\}/g;

/** What the placeholders of a text name, such as `customers.id`. */
export function placeholdersIn(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, inside = '']) => inside);
}

/** The text with each placeholder replaced. A text that is one placeholder alone becomes the value itself. */
export function fillText(text: string, fieldAt: (place: string) => unknown): unknown {
  const [only] = placeholdersIn(text);
  if (only !== undefined && text === `{${only}}`) return fieldAt(only);
  return text.replace(PLACEHOLDER, (_all, place: string) => String(fieldAt(place)));
}
