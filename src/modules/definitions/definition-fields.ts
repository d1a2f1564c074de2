import { z } from 'zod';
import { definitionSort, pageQuery } from '../../http/paging.ts';

export const YAML_LENGTH_MAX = 262_144;
const NAME_LENGTH_MAX = 200;
const DESCRIPTION_LENGTH_MAX = 4_000;

/** With escapes that every regex engine reads the same way: readers of the OpenAPI document use other engines. */
const WITHOUT_CONTROLS = new RegExp(`^[^${'\\u0000-\\u001f\\u007f-\\u009f'}]*$`);

/** A name that people read: one line of text, trimmed. */
export function oneLine(lengthMax: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(lengthMax)
    .regex(WITHOUT_CONTROLS, 'must not hold line breaks or other control characters');
}

export const nameField = oneLine(NAME_LENGTH_MAX);

/** Default: the YAML's own description, where it has one; null clears it. */
export const descriptionField = z.string().max(DESCRIPTION_LENGTH_MAX).nullable().optional();

export const yamlField = z.string().min(1).max(YAML_LENGTH_MAX);

/** A body to check without storing it. */
export function yamlToCheck(example: string) {
  const yaml = z.string().max(YAML_LENGTH_MAX);
  return z.strictObject({ yaml_content: yaml.meta({ examples: [example] }) });
}

/** The job template that a dashboard's text is checked for. */
export const forJobTemplate = z.strictObject({
  job_template_id: z.coerce
    .number()
    .int()
    .optional()
    .describe('Also checks the names of connectors, tasks, arguments and `job_config` of this job template'),
});

/** The search of a list, as `holding` understands it. */
export const searchField = z
  .string()
  .max(200)
  .optional()
  .describe('Part of the name, case-insensitive; below three characters: its prefix');

/** The filters of a list of definitions. */
export const definitionQuery = pageQuery.extend({
  sort: definitionSort,
  status: z.enum(['active', 'archived']).optional(),
  q: searchField,
});

/** The verbs that archive a definition and bring it back, with the resulting status. */
export const STATUS_VERBS = [
  ['archive', 'archived'],
  ['activate', 'active'],
] as const;
