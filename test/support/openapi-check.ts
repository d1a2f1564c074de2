import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HTTP_STATUS } from '../../src/http/error-map.ts';

export interface OpenapiAnswer {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>;
}

export interface OpenapiOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: object;
    readonly example?: unknown;
  }[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>;
  };
  readonly responses: Readonly<Record<string, OpenapiAnswer>>;
}

export interface OpenapiDocument {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly info: { readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenapiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, OpenapiAnswer>>;
  };
}

/** `/api/tasks/:id` of the router as `/api/tasks/{id}` of the document. */
export function openapiPathOf(url: string): string {
  return url.replace(/:([A-Za-z_]\w*)/g, '{$1}');
}

/** Headers of HTTP and of browsers' security, which the document leaves out. */
const UNDECLARED =
  /^(content-(type|length|encoding|security-policy)|vary|connection|cache-control|x-accel-buffering|cross-origin-.*|origin-agent-cluster|referrer-policy|strict-transport-security|x-(content-type-options|dns-prefetch-control|download-options|frame-options|permitted-cross-domain-policies|xss-protection))$/;

/** Each process compiles the schemas for some hundred answers: less than half the time with each shared one made once, and left as it is. */
const CHECKED = {
  strict: false,
  validateFormats: false,
  validateSchema: false,
  inlineRefs: false,
  code: { optimize: false },
} as const;

/** An OpenAPI document, and its schemas compiled. */
class Described {
  readonly document: OpenapiDocument;
  readonly #ajv: Ajv2020;
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: OpenapiDocument) {
    this.document = document;
    this.#ajv = new Ajv2020(CHECKED).addSchema(document, 'openapi');
  }

  operationOf(path: string, method: string): OpenapiOperation | undefined {
    return this.document.paths[path]?.[method];
  }

  /** The answer itself where `answer` refers to a shared one. */
  answerOf(answer: OpenapiAnswer): OpenapiAnswer {
    return this.document.components.responses[answer.$ref?.split('/').at(-1) ?? ''] ?? answer;
  }

  validatorOf(path: string, method: string, status: number): ValidateFunction | null {
    const answer = this.operationOf(path, method)?.responses[status];
    const place = answer?.$ref?.split('/').slice(1) ?? ['paths', path, method, 'responses', String(status)];
    const content = (
      answer?.$ref === undefined ? answer : this.document.components.responses[place.at(-1) ?? '']
    )?.content;
    if (content?.['application/json'] === undefined) return null;
    return this.validatorAt([...place, 'content', 'application/json', 'schema']);
  }

  validatorAt(place: readonly string[]): ValidateFunction {
    const escaped = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
    const ref = `openapi#/${place.map(escaped).join('/')}`;
    const made = this.#validators.get(ref) ?? this.#ajv.compile({ $ref: ref });
    this.#validators.set(ref, made);
    return made;
  }
}

let checkedIn: Described | undefined;

/** `openapi.json`: what a server says of itself, as a test proves, and compiled once for all servers of a process. */
function checkedInDocument(): Described {
  const path = join(import.meta.dirname, '../../openapi.json');
  checkedIn ??= new Described(JSON.parse(readFileSync(path, 'utf8')) as OpenapiDocument);
  return checkedIn;
}

/** The document of `openapi.json`: what a server would take more than a second to make. */
export function openapiDocument(): OpenapiDocument {
  return checkedInDocument().document;
}

/** Compares answers with the document: that the status is declared, and that the body is what its schema says. */
export class OpenapiCheck {
  /** What was found wrong, one line each. */
  readonly breaches: string[] = [];
  readonly #document: () => OpenapiDocument;
  #own: Described | undefined;

  /** `document` is the server's own: routes of tests alone are in no other. */
  constructor(document: () => OpenapiDocument) {
    this.#document = document;
  }

  look(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    const url = request.routeOptions.url;
    const { hide: isHidden } = (request.routeOptions.schema ?? {}) as { readonly hide?: boolean };
    if (url === undefined || isHidden || request.method === 'HEAD') return;
    const path = openapiPathOf(url);
    const method = request.method.toLowerCase();
    const isCheckedIn = checkedInDocument().operationOf(path, method) !== undefined;
    const described = isCheckedIn ? checkedInDocument() : this.#ownDocument();
    const operation = described.operationOf(path, method);
    // 405 is of another path than the operation's: `PUT /api/tasks/validate` is no task with the id "validate".
    if (operation === undefined || reply.statusCode === 405) return;
    const at = `${request.method} ${path} ${reply.statusCode}`;
    const answer = operation.responses[String(reply.statusCode)];
    if (answer === undefined) this.breaches.push(`${at}: the status is not declared`);
    else this.#lookAtHeaders(at, described.answerOf(answer), reply, payload);
    if (
      answer !== undefined &&
      typeof payload === 'string' &&
      String(reply.getHeader('content-type')).includes('json')
    )
      this.#lookAtBody(at, described.validatorOf(path, method, reply.statusCode), reply.statusCode, payload, {
        isSparse: (request.query as { readonly fields?: unknown }).fields !== undefined,
      });
  }

  #lookAtHeaders(
    at: string,
    { headers = {}, content = {} }: OpenapiAnswer,
    reply: FastifyReply,
    payload: unknown,
  ) {
    const sent = new Set(Object.keys(reply.getHeaders()).map((name) => name.toLowerCase()));
    const declared = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
    for (const name of sent)
      if (!UNDECLARED.test(name) && !declared.has(name))
        this.breaches.push(`${at}: the header "${name}" is not declared`);
    // An answer that is replayed is kept without its headers.
    if (
      reply.statusCode < 400 &&
      declared.has('etag') &&
      !sent.has('etag') &&
      !sent.has('idempotent-replayed')
    )
      this.breaches.push(`${at}: the header "etag" is declared and not sent`);
    const [type = ''] = String(reply.getHeader('content-type') ?? '').split(';');
    if (payload && !(type in content)) this.breaches.push(`${at}: the media type "${type}" is not declared`);
  }

  /** `isSparse`: the request named the fields that it wants, and the others are missing. */
  #lookAtBody(
    at: string,
    validate: ValidateFunction | null,
    status: number,
    payload: string,
    { isSparse }: { readonly isSparse: boolean },
  ): void {
    const body = JSON.parse(payload) as { error?: string };
    if (validate === null) {
      if (payload !== '') this.breaches.push(`${at}: a body where none is declared`);
    } else if (!validate(body)) {
      const [error] = validate.errors ?? [];
      if (isSparse && error?.keyword === 'required') return;
      this.breaches.push(`${at}: ${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}`);
    }
    const expected = HTTP_STATUS[body.error as keyof typeof HTTP_STATUS] as number | undefined;
    if (status >= 400 && expected !== status && body.error !== 'CONNECTOR_ERROR' && !('checks' in body))
      this.breaches.push(`${at}: the code ${body.error} belongs to ${expected}`);
  }

  /** The schema at a place in the server's own document, compiled once. */
  validatorAt(place: readonly string[]): ValidateFunction {
    return this.#ownDocument().validatorAt(place);
  }

  #ownDocument(): Described {
    this.#own ??= new Described(this.#document());
    return this.#own;
  }
}
