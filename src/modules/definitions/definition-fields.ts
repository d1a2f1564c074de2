import { z } from 'zod';
import { definitionSort, pageQuery } from '../../http/paging.ts';

export const YAML_LENGTH_MAX = 262_144;
const NAME_LENGTH_MAX = 200;
const DESCRIPTION_LENGTH_MAX = 4_000;

/** In escapes that every engine of patterns reads alike: readers of the OpenAPI document have other ones. */
const WITHOUT_CONTROLS = new RegExp(`^[^${'\\u0000-\\u001f\\u007f-\\u009f'}]*$`);

/** What a definition is called: one line of text, without blanks around it. */
export const nameField = z
  .string()
  .trim()
  .min(1)
  .max(NAME_LENGTH_MAX)
  .regex(WITHOUT_CONTROLS, 'must not hold line breaks or other control characters');

/** Left out, it is the YAML's own where the YAML has one; null clears it. */
export const descriptionField = z.string().max(DESCRIPTION_LENGTH_MAX).nullable().optional();

export const yamlField = z.string().min(1).max(YAML_LENGTH_MAX);

/** A body that is checked and not stored. */
export function yamlToCheck(example: string) {
  const yaml = z.string().max(YAML_LENGTH_MAX);
  return z.strictObject({ yaml_content: yaml.meta({ examples: [example] }) });
}

/** The filters of a list of definitions. */
export const definitionQuery = pageQuery.extend({
  sort: definitionSort,
  status: z.enum(['active', 'archived']).optional(),
  q: z.string().max(200).optional(),
});

/** The verbs of a definition that may be put away, and what each makes of it. */
export const STATUS_VERBS = [
  ['archive', 'archived'],
  ['activate', 'active'],
] as const;
