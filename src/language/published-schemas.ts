import { dashboardSchema } from './dashboard/parse-dashboard.ts';
import type { JsonSchema } from './declare/json-schema.ts';
import { taskSchema } from './task/parse-task.ts';
import { jobTemplateSchema } from './template/parse-template.ts';

export const SCHEMA_NAMES = ['task', 'job-template', 'dashboard'] as const;
export type SchemaName = (typeof SCHEMA_NAMES)[number];

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

const DOCUMENTS: Readonly<Record<SchemaName, () => JsonSchema>> = {
  task: taskSchema,
  'job-template': jobTemplateSchema,
  dashboard: dashboardSchema,
};

/**
 * The JSON Schema of a document, for editors. What it refuses the parser refuses too; the parser looks closer, at what is in
 * expressions, at names that refer to others, and at what must differ. Keys that the language does not have yet are not in it.
 */
export function publishedSchema(name: SchemaName): JsonSchema {
  return { $schema: DIALECT, $id: `urn:headgate:schema:${name}:1`, ...DOCUMENTS[name]() };
}
