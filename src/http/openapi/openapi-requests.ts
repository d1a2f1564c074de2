import { exampleOf } from './openapi-example.ts';

/** Parameters whose names mean the same wherever they are; others describe themselves in their schemas. */
const PARAMETERS: Readonly<Record<string, string>> = {
  action: 'What was done, as in "task.update"',
  actor_id: 'Who did it',
  connector_id: 'Those of this connector',
  delivery_id: 'The delivery’s id',
  enabled: 'Those that are switched on, or off',
  fingerprint: 'The start of the key’s SHA-256, as the list of keys shows it',
  format: 'The file’s format',
  id: 'The record’s id',
  job_id: 'Those of this job',
  job_run_id: 'Those of this job run',
  job_template_id: 'Those of this job template',
  key: 'The name in the configuration',
  level: 'Lines of this level and above',
  limit: 'Records of an answer, at most',
  name: 'The name that it was saved under',
  q: 'A part of the text, in any case',
  resource_id: 'The id of what was changed',
  resource_type: 'The kind of what was changed, as in "task"',
  role: 'Those of this role',
  search: 'A part of any column’s text',
  status: 'Those of this status',
  step: 'Lines of this step',
  taskId: 'The task’s id',
  task_id: 'Those of this task',
  task_key: 'The task’s key in the job’s graph',
  token: 'The token of the share link',
  type: 'Those of this type',
  version: 'The number of the version',
  visibility: 'Those of this visibility',
  widget_id: 'The widget’s id in the dashboard’s document',
};

interface Parameter {
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  schema?: unknown;
  example?: unknown;
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: { content?: Record<string, { schema?: unknown; example?: unknown }> };
}

/** Completes a generated OpenAPI document: parameters get descriptions, and bodies and what a path needs get examples. */
export function completeRequests(document: object): void {
  const { paths = {}, components } = document as {
    paths?: Record<string, Record<string, Operation>>;
    components?: { schemas?: Record<string, unknown> };
  };
  const resolve = (ref: string) => components?.schemas?.[ref.slice(ref.lastIndexOf('/') + 1)];
  for (const { parameters = [], requestBody } of Object.values(paths).flatMap((path) =>
    Object.values(path),
  )) {
    for (const parameter of parameters) {
      parameter.description ??= PARAMETERS[parameter.name] ?? '';
      if (parameter.in === 'path') parameter.example ??= exampleOf(parameter.schema, resolve, parameter.name);
    }
    const json = requestBody?.content?.['application/json'];
    if (json?.schema !== undefined) json.example ??= exampleOf(json.schema, resolve);
  }
}
