import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ERROR_CODES } from '../src/base/errors.ts';
import { HTTP_STATUS } from '../src/http/error-map.ts';
import { GRPC_STATUS } from '../src/protocol/grpc-status.ts';
import { describeApi } from './openapi-document.ts';
import { openapiTypesText } from './openapi-types.ts';
import {
  OpenapiCheck,
  type OpenapiDocument,
  type OpenapiOperation,
  openapiPathOf,
} from './support/openapi-check.ts';

const OPERATIONS_MIN = 100;
const CHECKED_IN = readFileSync(join(import.meta.dirname, '..', 'openapi.json'), 'utf8');

const described = await describeApi();
const document = JSON.parse(described.text) as OpenapiDocument;
const openapi = new OpenapiCheck(() => document);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    at: `${method.toUpperCase()} ${path}`,
    path,
    method,
    operation,
  })),
);

t.test('the checked-in document is the one that the server gives', async (t) => {
  t.ok(described.text === CHECKED_IN, 'run `node test/openapi-generate.ts` after a change on purpose');
  t.same([document.openapi, document.info.version], ['3.1.0', '1.0.0']);
});

t.test('the client’s types are those of the checked-in document', async (t) => {
  const types = readFileSync(join(import.meta.dirname, '..', 'src/client/openapi-types.ts'), 'utf8');
  t.ok((await openapiTypesText(CHECKED_IN)) === types, 'run `node test/openapi-generate.ts`');
});

t.test('every route that is not hidden is an operation, and every operation a route', async (t) => {
  const routes = described.routes
    .filter((route) => !route.hidden)
    .map(({ method, url }) => `${method} ${openapiPathOf(url)}`);
  t.ok(routes.length > OPERATIONS_MIN);
  t.same(routes.sort(), operations.map(({ at }) => at).sort());
  t.same(
    described.routes
      .filter((route) => route.hidden && route.access.kind !== 'none')
      .map((route) => route.url),
    [],
    'only what anybody may see is hidden',
  );
});

t.test('every operation says who it is, for whom, and how it answers', async (t) => {
  const ids = operations.map(({ operation }) => operation.operationId ?? '');
  t.same(
    ids.filter((id, index) => ids.indexOf(id) !== index || !/^[a-z][A-Za-z]+$/.test(id)),
    [],
    'operationIds',
  );
  const problems: string[] = [];
  for (const { at, path, method, operation } of operations) {
    const statuses = Object.keys(operation.responses).map(Number);
    const has = (...wanted: number[]) => wanted.every((status) => statuses.includes(status));
    if (!operation.summary) problems.push(`${at}: no summary`);
    if (operation.tags?.length !== 1) problems.push(`${at}: not one tag`);
    if (operation.security === undefined) problems.push(`${at}: no security`);
    if (!statuses.some((status) => status < 300)) problems.push(`${at}: no success`);
    if (!has(400, 429, 500)) problems.push(`${at}: not all of 400, 429, 500`);
    if ((operation.security?.length ?? 0) > 0 && !has(401, 403)) problems.push(`${at}: no 401 or 403`);
    if (path.includes('{') && !has(404)) problems.push(`${at}: no 404`);
    if (operation.requestBody !== undefined && !has(413, 415)) problems.push(`${at}: no 413 or 415`);
    const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    if (declared.map((parameter) => parameter.name).join() !== named.join())
      problems.push(`${at}: parameters`);
    if (method === 'get' && operation.requestBody !== undefined) problems.push(`${at}: a GET with a body`);
    const paged = (operation.parameters ?? []).some(({ name }) => name === 'cursor');
    if (paged && operation.responses['200']?.headers?.['Link'] === undefined)
      problems.push(`${at}: pages without a declared Link`);
  }
  t.same(problems, []);
});

t.test('the security of an operation is the access of its route', async (t) => {
  const expected = {
    none: [],
    pending: [],
    share: [],
    account: [{ CookieAuth: [] }],
    self: [{ BearerAuth: [] }, { CookieAuth: [] }],
    member: [{ BearerAuth: [] }, { CookieAuth: [] }],
    local: [{ BearerAuth: [] }, { CookieAuth: [] }, {}],
    executor: [{ ExecutorKeyAuth: [] }],
  };
  for (const { method, url, access, hidden } of described.routes) {
    if (hidden) continue;
    const operation: OpenapiOperation | undefined =
      document.paths[openapiPathOf(url)]?.[method.toLowerCase()];
    t.same(operation?.security, expected[access.kind], `${method} ${url}`);
  }
});

t.test('every JSON answer has an example, and the example is what its schema says', async (t) => {
  const problems: string[] = [];
  let examples = 0;
  for (const { at, path, method, operation } of operations) {
    for (const [status, answer] of Object.entries(operation.responses)) {
      const json = answer.content?.['application/json'];
      if (json === undefined) continue;
      const place = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema'];
      const validate = openapi.validatorAt(place);
      examples += 1;
      if (json.example === undefined) problems.push(`${at} ${status}: no example`);
      else if (!validate(json.example))
        problems.push(
          `${at} ${status}: ${validate.errors?.[0]?.instancePath} ${validate.errors?.[0]?.message}`,
        );
      if (answer.description === 'Default Response') problems.push(`${at} ${status}: no description`);
    }
  }
  t.ok(examples > OPERATIONS_MIN / 2);
  t.same(problems, []);
});

t.test('every body has an example that its schema takes, and every parameter says what it is', async (t) => {
  const problems: string[] = [];
  for (const { at, path, method, operation } of operations) {
    for (const parameter of operation.parameters ?? [])
      if (!parameter.description) problems.push(`${at}: nothing says what "${parameter.name}" is`);
    for (const [type, { example }] of Object.entries(operation.requestBody?.content ?? {})) {
      const place = ['paths', path, method, 'requestBody', 'content', type, 'schema'];
      const validate = openapi.validatorAt(place);
      if (example === undefined) problems.push(`${at}: no example`);
      else if (!validate(example)) problems.push(`${at}: ${JSON.stringify(validate.errors?.[0])}`);
    }
  }
  t.same(problems, []);
});

t.test('every group of operations is described', async (t) => {
  const described = document.tags.filter(({ description }) => description !== '').map(({ name }) => name);
  const used = operations.flatMap(({ operation }) => operation.tags ?? []);
  t.same(
    described,
    [...new Set(used)],
    'describe it in `openapi-order.ts`, which also orders the operations',
  );
  t.same(described.slice(0, 4), ['Auth', 'API Keys', 'Users', 'Connectors'], 'as a reader meets them');
  const tasks = operations.filter(({ operation }) => operation.tags?.[0] === 'Tasks').map(({ at }) => at);
  t.same(
    tasks.slice(0, 4),
    ['GET /api/tasks', 'POST /api/tasks', 'GET /api/tasks/{id}', 'PUT /api/tasks/{id}'],
    'a collection, then its records',
  );
});

t.test('codes, HTTP statuses, gRPC statuses and documented answers are the same list', async (t) => {
  const codes = [...ERROR_CODES].sort();
  t.same(Object.keys(HTTP_STATUS).sort(), codes);
  t.same(Object.keys(GRPC_STATUS).sort(), codes);
  t.same(
    Object.keys(document.components.responses).sort(),
    // A method that a path does not have belongs to no operation; what is refused before it is a request has a status alone.
    [...codes.filter((code) => code !== 'METHOD_NOT_ALLOWED'), 'HEADERS_TOO_LARGE', 'REQUEST_TIMEOUT'].sort(),
  );
  const schema = document.components.schemas['Error'] as { properties: { error: { enum: string[] } } };
  t.same([...schema.properties.error.enum].sort(), codes);
  t.equal(new Set(Object.values(HTTP_STATUS)).size, codes.length, 'one status for each');
  for (const { at, operation } of operations) {
    for (const [status, { $ref }] of Object.entries(operation.responses)) {
      const code = $ref?.split('/').at(-1) as keyof typeof HTTP_STATUS | undefined;
      if (code !== undefined && code in HTTP_STATUS)
        t.equal(HTTP_STATUS[code], Number(status), `${at} ${status}`);
    }
  }
});
