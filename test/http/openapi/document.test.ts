import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { SCHEMA_NAMES } from '../../../src/language/published-schemas.ts';
import { OpenapiCheck, type OpenapiDocument } from '../../support/openapi-check.ts';

/** That of the server, as `test/openapi.test.ts` proves. */
const TEXT = readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8');
const document = JSON.parse(TEXT) as OpenapiDocument;
const openapi = new OpenapiCheck(() => document);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    at: `${method.toUpperCase()} ${path}`,
    operation,
  })),
);

t.test('what is not JSON says what it is', async (t) => {
  const others = operations.flatMap(({ operation }) =>
    Object.entries(operation.responses).flatMap(([status, { content = {} }]) => {
      const types = Object.keys(content).filter((type) => type !== 'application/json');
      return types.length === 0 ? [] : `${operation.operationId} ${status}: ${types.join(', ')}`;
    }),
  );
  t.same(others.sort(), [
    'downloadRunLogs 200: application/x-ndjson',
    'exportBundle 200: application/yaml, application/zip',
    'exportPublicWidget 200: text/csv, application/x-ndjson',
    'exportWidget 200: text/csv, application/x-ndjson',
    'generateDashboardTemplate 200: text/event-stream',
    'generateJobTemplate 200: text/event-stream',
    'generateTask 200: text/event-stream',
    'getPrometheusMetrics 200: text/plain',
    'streamJobRunEvents 200: text/event-stream',
    'streamRunLogs 200: text/event-stream',
  ]);
  const untyped = operations.filter(({ operation }) =>
    Object.values(operation.responses).some(({ content = {} }) =>
      Object.values(content).some(({ schema }) => Object.keys(schema).length === 0),
    ),
  );
  t.same(
    untyped.map(({ at }) => at),
    [],
  );
});

t.test('the events of every stream have shapes', async (t) => {
  const { schemas } = document.components;
  const eventsOf = (name: string) =>
    (schemas[name] as { anyOf: { $ref: string }[] }).anyOf.map(({ $ref }) => $ref.split('/').at(-1));
  const streams = operations.flatMap(({ operation }) =>
    Object.values(operation.responses).flatMap(({ content }) => {
      const schema = content?.['text/event-stream']?.schema as { contentSchema?: { $ref?: string } };
      return schema === undefined ? [] : (schema.contentSchema?.$ref?.split('/').at(-1) ?? '');
    }),
  );
  t.same(Object.fromEntries(streams.map((name) => [name, eventsOf(name)])), {
    JobRunEvent: ['JobRunEventRun', 'JobRunEventStatus', 'JobRunEventEnd'],
    RunEvent: ['RunEventLog', 'RunEventGap', 'RunEventStatus', 'RunEventProgress', 'RunEventEnd'],
    GenerationEvent: [
      'GenerationEventProgress',
      'GenerationEventDelta',
      'GenerationEventProblems',
      'GenerationEventResult',
      'GenerationEventError',
    ],
  });
});

t.test('headers that are read and answered are in the document', async (t) => {
  const read = (id: string) =>
    operations
      .find(({ operation }) => operation.operationId === id)
      ?.operation.parameters?.filter((parameter) => parameter.in === 'header')
      .map(({ name }) => name);
  const answered = (id: string, status: number) => {
    const found = operations.find(({ operation }) => operation.operationId === id);
    const answer = found?.operation.responses[status] ?? {};
    const shared = document.components.responses[answer.$ref?.split('/').at(-1) ?? ''] ?? answer;
    return Object.keys(shared.headers ?? {}).filter((name) => !/^X-/.test(name));
  };
  t.same(read('updateTask'), ['If-Match']);
  t.same(read('createTask'), ['Idempotency-Key']);
  t.same(read('streamRunLogs'), ['Last-Event-ID']);
  t.ok(read('getSchema')?.includes('If-None-Match'));
  t.same(answered('getTask', 200), ['ETag']);
  t.same(answered('createTask', 201), ['Idempotent-Replayed', 'ETag']);
  t.same(answered('getTask', 401), ['WWW-Authenticate', 'Retry-After']);
  t.same(answered('getTask', 429), ['Retry-After']);
  t.same(answered('getTask', 503), ['Retry-After']);
  t.same(answered('login', 200), ['Set-Cookie']);
  t.same(answered('exportBundle', 200), ['Content-Disposition']);
  t.same(answered('listTasks', 200), ['Link']);
  const limits = Object.keys(document.components.responses['NOT_FOUND']?.headers ?? {});
  t.ok(limits.includes('X-RateLimit-Remaining') && limits.includes('X-Request-Id'));
  for (const { at, operation } of operations)
    t.ok('431' in operation.responses && '408' in operation.responses, at);
});

/** What generators call an object without a name of its own: as the place where it stands. */
function derivedNames(name: string, schema: unknown, isTop = true): string[] {
  if (Array.isArray(schema) || typeof schema !== 'object' || schema === null || '$ref' in schema) return [];
  const { properties, items, additionalProperties, ...rest } = schema as Record<string, object | undefined>;
  const options = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (rest[key] as unknown[] | undefined) ?? []);
  return [
    ...(!isTop && properties !== undefined ? [name] : []),
    ...Object.entries(properties ?? {}).flatMap(([key, inner]) =>
      derivedNames(`${name}${pascalOf(key)}`, inner, false),
    ),
    ...options.flatMap((inner, index) => derivedNames(`${name}Type${index}`, inner, false)),
    ...derivedNames(`${name}Item`, items, false),
    ...derivedNames(`${name}AdditionalProperty`, additionalProperties, false),
  ];
}

function pascalOf(key: string): string {
  return key.replace(/(^|[^A-Za-z0-9])([a-z0-9])/g, (_, _before, letter: string) => letter.toUpperCase());
}

t.test('no two models of a generated client get the same name', async (t) => {
  const { schemas } = document.components;
  const names = Object.entries(schemas).flatMap(([name, schema]) => [name, ...derivedNames(name, schema)]);
  const folded = names.map((name) => name.toLowerCase());
  t.ok(names.length > 300, `${names.length} names`);
  t.same(
    names.filter((_, index) => folded.indexOf(folded[index] ?? '') !== index),
    [],
  );
  const unnamed = operations.flatMap(({ at, operation }) =>
    [operation.requestBody ?? { content: {} }, ...Object.values(operation.responses)].flatMap(({ content }) =>
      Object.values(content ?? {}).flatMap(({ schema }) => ('properties' in schema ? [at] : [])),
    ),
  );
  t.same(unnamed, [], 'bodies and answers have names of their own');
  t.ok('CreateTaskBody' in schemas && 'ListTasksAnswer' in schemas);
});

t.test('every YAML of a body links to its JSON Schema', async (t) => {
  const links = operations.flatMap(({ operation }) => {
    const body = operation.requestBody?.content['application/json']?.schema as { $ref?: string } | undefined;
    const schema = document.components.schemas[body?.$ref?.split('/').at(-1) ?? ''] as
      | { properties?: Record<string, { externalDocs?: { url: string } }> }
      | undefined;
    const yaml = schema?.properties?.['yaml_content'];
    return yaml === undefined ? [] : `${operation.operationId} ${yaml.externalDocs?.url}`;
  });
  t.same(links, [
    'createTask /api/schemas/task',
    'updateTask /api/schemas/task',
    'validateTask /api/schemas/task',
    'previewTask /api/schemas/task',
    'evaluateExpression /api/schemas/task',
    'lockTask /api/schemas/task',
    'createJobTemplate /api/schemas/job-template',
    'updateJobTemplate /api/schemas/job-template',
    'validateJobTemplate /api/schemas/job-template',
    'putTaskOverride /api/schemas/task',
    'createDashboardTemplate /api/schemas/dashboard',
    'updateDashboardTemplate /api/schemas/dashboard',
    'validateDashboardTemplate /api/schemas/dashboard',
    'drawDraftDashboard /api/schemas/dashboard',
    'updateDashboard /api/schemas/dashboard',
    'validateDashboard /api/schemas/dashboard',
  ]);
  const urls = new Set(links.map((link) => link.split(' ')[1]));
  t.same(urls, new Set(SCHEMA_NAMES.map((name) => `/api/schemas/${name}`)));
  const pages = new Set(
    JSON.stringify(document.components.schemas).match(/docs\/[\w/-]+\.md(?=` of the package)/g),
  );
  t.equal(pages.size, SCHEMA_NAMES.length, 'and to the page that describes its keys');
  for (const page of pages) t.ok(existsSync(join(import.meta.dirname, '../../..', page)), page);
});

t.test('texts of requests say that they hold no NUL character', async (t) => {
  const takes = (name: string, value: unknown) =>
    openapi.validatorAt(['components', 'schemas', name])(value) as boolean;
  const connector = { name: 'a', type: 'sqlite', config: { path: 'a' } };
  t.ok(takes('CreateConnectorBody', connector));
  t.notOk(takes('CreateConnectorBody', { ...connector, type: 'a\0' }));
  t.notOk(takes('CreateConnectorBody', { ...connector, config: { 'a\0': 1 } }), 'in a key');
  const list = operations.find(({ operation }) => operation.operationId === 'listTasks')?.operation;
  t.match(list?.parameters?.find(({ name }) => name === 'q')?.schema, { pattern: /u0000/ });
});

t.test(
  'the introduction says what holds for all operations, and names operations that there are',
  async (t) => {
    const { description } = document.info;
    const headings = [...description.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    t.same(headings, [
      'Concepts',
      'First steps',
      'Requests',
      'Lists',
      'Errors',
      'ETags',
      'Repeating a request',
      'Events',
    ]);
    const steps = description.slice(
      description.indexOf('## First steps'),
      description.indexOf('## Requests'),
    );
    const named = [...steps.matchAll(/`([a-z]+[A-Z]\w+)`/g)].map(([, id]) => id);
    const ids = new Set(operations.map(({ operation }) => operation.operationId));
    t.ok(named.length > 8);
    t.same(
      named.filter((id) => !ids.has(id)),
      [],
    );
  },
);
