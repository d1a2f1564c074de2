import { isRecord } from '../../base/json.ts';
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
  trigger_id: 'Only those of this trigger',
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
  operationId: string;
  tags: readonly string[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content?: Record<string, { schema?: unknown; example?: unknown }> };
}

/**
 * Completes a generated OpenAPI document: parameters get descriptions, and bodies and path parameters get examples,
 * and bodies that may be left out say so: `withoutBody` holds their operations' ids.
 */
export function completeRequests(document: object, withoutBody: ReadonlySet<string>): void {
  const { paths = {}, components } = document as {
    paths?: Record<string, Record<string, Operation>>;
    components?: { schemas?: Record<string, unknown> };
  };
  const resolve = (ref: string) => components?.schemas?.[ref.slice(ref.lastIndexOf('/') + 1)];
  for (const { operationId, tags, parameters = [], requestBody } of Object.values(paths).flatMap((path) =>
    Object.values(path),
  )) {
    for (const parameter of parameters) {
      refuseNul(parameter.schema, resolve);
      parameter.description ??= PARAMETERS[parameter.name] ?? '';
      if (parameter.in === 'path') parameter.example ??= exampleOf(parameter.schema, resolve, parameter.name);
    }
    if (requestBody !== undefined && withoutBody.has(operationId)) requestBody.required = false;
    const json = requestBody?.content?.['application/json'];
    if (json?.schema === undefined) continue;
    linkYaml(json.schema, SCHEMA_OF_YAML[tags[0] ?? '']);
    refuseNul(json.schema, resolve);
    json.example ??= exampleOf(json.schema, resolve);
  }
}

/** The JSON Schema of the YAML in the bodies of a group of operations: `/api/schemas/{document}`. */
const SCHEMA_OF_YAML: Readonly<Record<string, string>> = {
  Tasks: 'task',
  Jobs: 'task',
  'Job Templates': 'job-template',
  'Dashboard Templates': 'dashboard',
  Dashboards: 'dashboard',
};

/** Where the language of a document is described, below `docs/`. */
const PAGE_OF_YAML: Readonly<Record<string, string>> = {
  task: 'language/README.md',
  'job-template': 'reference/job-template.md',
  dashboard: 'reference/dashboard.md',
};

function linkYaml(schema: unknown, document: string | undefined): void {
  const yaml =
    isRecord(schema) && isRecord(schema['properties']) ? schema['properties']['yaml_content'] : undefined;
  if (!isRecord(yaml) || document === undefined) return;
  const url = `/api/schemas/${document}`;
  Object.assign(yaml, {
    description: `YAML; its JSON Schema is at [${url}](${url}). All keys, with examples: \`docs/${PAGE_OF_YAML[document]}\` of the package`,
    contentMediaType: 'application/yaml',
    externalDocs: { url, description: 'The JSON Schema of this YAML' },
  });
}

/** As every engine of regular expressions reads it. */
const WITHOUT_NUL = '^[^\\u0000]*$';
/** What says of itself which texts it takes. */
const BOUND = ['pattern', 'format', 'enum', 'const'];

/** Every text of a request that its own schema leaves open: `json-body.ts` refuses NUL in all of them. */
function refuseNul(schema: unknown, resolve: (ref: string) => unknown): void {
  if (Array.isArray(schema)) {
    for (const inner of schema) refuseNul(inner, resolve);
    return;
  }
  if (!isRecord(schema)) return;
  if (typeof schema['$ref'] === 'string') {
    const target = resolve(schema['$ref']);
    // Those of answers are told apart by their name: what a driver reads from elsewhere may hold anything.
    if (schema['$ref'].endsWith('Input')) refuseNul(target, resolve);
    return;
  }
  const isText = [schema['type']].flat().includes('string');
  if (isText && BOUND.every((key) => !(key in schema))) Object.assign(schema, { pattern: WITHOUT_NUL });
  const { properties, items, anyOf, oneOf, allOf, additionalProperties, propertyNames } = schema;
  const inner = isRecord(properties) ? Object.values(properties) : [];
  refuseNul([...inner, items, anyOf, oneOf, allOf, additionalProperties, propertyNames], resolve);
}
