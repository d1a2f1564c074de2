import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HTTP_STATUS } from '../../src/http/error-map.ts';

export interface OpenapiAnswer {
  readonly $ref?: string;
  readonly description?: string;
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
  readonly info: { readonly version: string };
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

/** Compares answers with the document: that the status is declared, and that the body is what its schema says. */
export class OpenapiCheck {
  /** What was found wrong, one line each. */
  readonly breaches: string[] = [];
  readonly #document: () => OpenapiDocument;
  readonly #validators = new Map<string, ValidateFunction>();
  #ajv: Ajv2020 | null = null;

  constructor(document: () => OpenapiDocument) {
    this.#document = document;
  }

  look(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    const url = request.routeOptions.url;
    if (url === undefined || request.method === 'HEAD') return;
    const path = openapiPathOf(url);
    const operation = this.#document().paths[path]?.[request.method.toLowerCase()];
    if (operation === undefined) return;
    const at = `${request.method} ${path} ${reply.statusCode}`;
    const answer = operation.responses[String(reply.statusCode)];
    if (answer === undefined) this.breaches.push(`${at}: the status is not declared`);
    else if (typeof payload === 'string' && String(reply.getHeader('content-type')).includes('json'))
      this.#lookAtBody(at, path, request.method.toLowerCase(), reply.statusCode, payload);
  }

  #lookAtBody(at: string, path: string, method: string, status: number, payload: string): void {
    const body = JSON.parse(payload) as { error?: string };
    const validate = this.#validatorOf(path, method, status);
    if (validate === null) {
      if (payload !== '') this.breaches.push(`${at}: a body where none is declared`);
    } else if (!validate(body)) {
      const [error] = validate.errors ?? [];
      this.breaches.push(`${at}: ${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}`);
    }
    const expected = HTTP_STATUS[body.error as keyof typeof HTTP_STATUS] as number | undefined;
    if (status >= 400 && expected !== status && body.error !== 'CONNECTOR_ERROR' && !('checks' in body))
      this.breaches.push(`${at}: the code ${body.error} belongs to ${expected}`);
  }

  #validatorOf(path: string, method: string, status: number): ValidateFunction | null {
    const answer = this.#document().paths[path]?.[method]?.responses[status];
    const place = answer?.$ref?.split('/').slice(1) ?? ['paths', path, method, 'responses', String(status)];
    const content = (
      answer?.$ref === undefined ? answer : this.#document().components.responses[place.at(-1) ?? '']
    )?.content;
    if (content?.['application/json'] === undefined) return null;
    return this.validatorAt([...place, 'content', 'application/json', 'schema']);
  }

  /** The schema at a place in the document, compiled once. */
  validatorAt(place: readonly string[]): ValidateFunction {
    this.#ajv ??= new Ajv2020({ strict: false, validateFormats: false }).addSchema(
      this.#document(),
      'openapi',
    );
    const escaped = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
    const ref = `openapi#/${place.map(escaped).join('/')}`;
    const made = this.#validators.get(ref) ?? this.#ajv.compile({ $ref: ref });
    this.#validators.set(ref, made);
    return made;
  }
}
