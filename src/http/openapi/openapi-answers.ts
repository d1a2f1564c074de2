import { ERROR_CODES, type ErrorCode } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { CLIENT_ERRORS, HTTP_STATUS } from '../error-map.ts';
import { statusText } from '../status-text.ts';
import { exampleOf } from './openapi-example.ts';
import { errorHeaders } from './openapi-headers.ts';

const ERROR_SCHEMA = { $ref: '#/components/schemas/Error' };
/** The meaning of each code. */
export const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: 'The request is not valid; `details` lists every problem',
  AUTH_ERROR: 'Not authenticated',
  FORBIDDEN: 'Insufficient role or scope; the message names the required one',
  NOT_FOUND: 'Resource not found',
  METHOD_NOT_ALLOWED: 'The path does not support this method; `Allow` lists the supported ones',
  CONFLICT: 'The state of the resource, or a running request, does not allow it',
  PRECONDITION_FAILED: 'The resource has changed since the version that `If-Match` names',
  PAYLOAD_TOO_LARGE: 'The body is larger than the server accepts',
  UNSUPPORTED_MEDIA_TYPE: 'The body must be `application/json`',
  UNPROCESSABLE: 'Understood, but impossible with this content',
  RATE_LIMITED: 'Too many requests or failed attempts',
  INTERNAL_ERROR: 'Something failed on the server; the request id helps to find it',
  CONNECTOR_ERROR: 'The remote side of a connector failed; the message has details',
  NOT_READY: 'A required component is temporarily unavailable; retry',
};

/** Answers before there is a request: of any operation, without a request id or other headers. */
const CLIENT_ANSWERS = [
  { name: 'REQUEST_TIMEOUT', error: CLIENT_ERRORS.ERR_HTTP_REQUEST_TIMEOUT },
  { name: 'HEADERS_TOO_LARGE', error: CLIENT_ERRORS.HPE_HEADER_OVERFLOW },
].map(({ name, error: [status, code, message] }) => ({
  name,
  status,
  answer: {
    description: `\`${code}\`: ${message}`,
    content: {
      'application/json': { schema: ERROR_SCHEMA, example: { error: code, message, request_id: '' } },
    },
  },
}));

interface Answer {
  description?: string;
  content?: Record<string, { schema?: unknown; example?: unknown }>;
  $ref?: string;
}

interface Document {
  paths?: Record<string, Record<string, { responses?: Record<string, Answer> }>>;
  components?: { schemas?: Record<string, unknown>; responses?: Record<string, unknown> };
}

/**
 * Completes a generated OpenAPI document: each error answer becomes a reference to a shared one that explains its code, every
 * other answer gets a description and an example, and unreferenced schemas are left out.
 */
export function completeAnswers(document: object): void {
  const { paths = {}, components = {} } = document as Document;
  const schemas = components.schemas ?? {};
  const resolve = (ref: string) => schemas[ref.slice(ref.lastIndexOf('/') + 1)];
  components.responses = {
    ...Object.fromEntries(ERROR_CODES.map((code) => [code, errorAnswer(code)])),
    ...Object.fromEntries(CLIENT_ANSWERS.map(({ name, answer }) => [name, answer])),
  };
  for (const { responses = {} } of Object.values(paths).flatMap((path) => Object.values(path))) {
    for (const [status, answer] of Object.entries(responses)) {
      const code = codeOf(Number(status), answer);
      if (code === null) describe(Number(status), answer, resolve);
      else responses[status] = { $ref: `#/components/responses/${code}` };
    }
    for (const { name, status } of CLIENT_ANSWERS)
      responses[status] = { $ref: `#/components/responses/${name}` };
  }
  // A method that a path does not have belongs to no operation.
  if (!JSON.stringify(paths).includes('/responses/METHOD_NOT_ALLOWED'))
    delete components.responses['METHOD_NOT_ALLOWED'];
  dropUnused(document, schemas);
}

function errorAnswer(code: ErrorCode) {
  const example = { error: code, message: MEANINGS[code], request_id: '7d1f0c5e9ab24c36' };
  return {
    description: `\`${code}\`: ${MEANINGS[code]}`,
    headers: errorHeaders(code),
    content: { 'application/json': { schema: ERROR_SCHEMA, example } },
  };
}

function codeOf(status: number, { content }: Answer): ErrorCode | null {
  const schema = content?.['application/json']?.schema;
  if (!isRecord(schema) || schema['$ref'] !== ERROR_SCHEMA.$ref) return null;
  return ERROR_CODES.find((code) => HTTP_STATUS[code] === status) ?? null;
}

function describe(status: number, answer: Answer, resolve: (ref: string) => unknown): void {
  if (answer.description === undefined || answer.description === 'Default Response')
    answer.description = statusText(status) ?? 'Answer';
  const json = answer.content?.['application/json'];
  if (json?.schema !== undefined) json.example ??= exampleOf(json.schema, resolve);
}

const SCHEMA_REF = /"#\/components\/schemas\/([^"]+)"/g;

/** The generator creates each schema twice, for input and output. */
function dropUnused(document: object, schemas: Record<string, unknown>): void {
  for (let before = -1; before !== Object.keys(schemas).length; ) {
    before = Object.keys(schemas).length;
    const used = new Set(Array.from(JSON.stringify(document).matchAll(SCHEMA_REF), ([, name]) => name));
    for (const name of Object.keys(schemas)) if (!used.has(name)) delete schemas[name];
  }
}
