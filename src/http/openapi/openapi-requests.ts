import { exampleOf } from './openapi-example.ts';

/** Parameters with the same meaning everywhere; others are described in their schemas. */
const PARAMETERS: Readonly<Record<string, string>> = {
  action: 'The action, such as "task.update"',
  actor_id: 'The id of the actor',
  connector_id: 'Only those of this connector',
  delivery_id: 'The delivery’s id',
  enabled: 'Only enabled or only disabled ones',
  fingerprint: 'The start of the key’s SHA-256, as the list of keys shows it',
  format: 'The file’s format',
  id: 'The record’s id',
  job_id: 'Only those of this job',
  job_run_id: 'Only those of this job run',
  job_template_id: 'Only those of this job template',
  key: 'The name in the configuration',
  level: 'Lines of this level and above',
  limit: 'The most records in an answer',
  name: 'The name under which it was saved',
  q: 'Part of the text, case-insensitive',
  resource_id: 'The id of the changed record',
  resource_type: 'The kind of the changed record, such as "task"',
  role: 'Only those with this role',
  search: 'Part of the text of any column',
  status: 'Only those with this status',
  step: 'Lines of this step',
  taskId: 'The task’s id',
  task_id: 'Only those of this task',
  task_key: 'The task’s key in the job’s graph',
  token: 'The token of the share link',
  type: 'Only those of this type',
  version: 'The number of the version',
  visibility: 'Only those with this visibility',
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

/** Completes a generated OpenAPI document: parameters get descriptions, and bodies and path parameters get examples. */
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
