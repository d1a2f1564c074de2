import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { type ErrorCode, requireFound } from '../../base/errors.ts';
import { type ExpectedVersions, etagOf, ifMatch, isKnown, notModified } from '../../http/etag.ts';
import type { AnswerHeaderName } from '../../http/openapi/answer-headers.ts';
import type { Paging } from '../../http/paging.ts';
import {
  type AnyRouteSpec,
  type Asked as AskedOf,
  type Handler,
  type RouteGroup,
  Routes,
} from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import { type Actor, actorOf } from '../audit/audit.ts';
import { STATUS_VERBS } from './definition-fields.ts';

/** What the routes of a kind of record have in common. */
export interface RecordRoutesSpec<Row> extends RouteGroup {
  /** Of the collection, as in `/api/tasks`. */
  readonly path: string;
  /** In operation ids, as in `JobTemplate`. */
  readonly name: string;
  /** In messages, as in `job template`. */
  readonly noun: string;
  /** A record in answers, and how it is made from a row. */
  readonly answer: z.ZodType;
  readonly show: (row: Row) => unknown;
  /** Rows have a version, which answers carry as their ETag alone. */
  readonly hidesVersion?: boolean;
  /** An answer follows from its version and status alone, so `GET` honours `If-None-Match`. */
  readonly followsVersion?: boolean;
}

/** What one route states itself; the rest is that of its kind of record. */
interface Own<Row> {
  readonly id?: string;
  readonly summary: string;
  readonly description?: string;
  readonly errors?: readonly ErrorCode[];
  readonly answer?: z.ZodType;
  readonly show?: (row: Row) => unknown;
}

interface Listed<Row, Q> extends Own<Row> {
  readonly query: Q;
  /** Where the records belong to another one. */
  readonly path?: string;
}

interface Written<Row, B> extends Own<Row> {
  readonly body: B;
  readonly bodyLimit?: number;
}

interface Created<Row, B> extends Written<Row, B> {
  readonly path?: string;
  /** Where the answer holds a secret that is shown once. */
  readonly idempotent?: 'secret';
}

export type Asked<B extends z.ZodType = z.ZodUnknown, Q extends z.ZodType = z.ZodUnknown> = AskedOf<
  { readonly id: number },
  Q,
  B
>;

type Status = (typeof STATUS_VERBS)[number][1];

/**
 * The routes that every kind of record has. Paging, ETag, `If-Match` and the actor are handled here, so that a module states the
 * words, the schemas and the call of its service.
 */
export class RecordRoutes<Row extends object> {
  readonly #spec: RecordRoutesSpec<Row>;
  /** Registers the routes that only this kind of record has. */
  readonly others: Routes;

  constructor(app: App, spec: RecordRoutesSpec<Row>) {
    this.#spec = spec;
    this.others = new Routes(app, spec);
  }

  /** 200 with a page; `select` reads one row more than the page. */
  list<Q extends z.ZodType, Item extends { id: number }>(
    own: Listed<Item, Q>,
    select: (request: Asked<z.ZodUnknown, Q>, paging: Paging) => Promise<readonly Item[]>,
  ): void {
    const { answer, path } = { ...this.#spec, ...own };
    const show = (own.show ?? this.#spec.show) as (row: unknown) => unknown;
    const spec = { id: `list${this.#spec.name}s`, ...own, answer };
    this.others.list(
      path,
      spec,
      (request, paging) => select(request as Asked<z.ZodUnknown, Q>, paging),
      show,
    );
  }

  /** 200, or `NOT_FOUND` where `find` resolves to null. */
  get(own: Own<Row>, find: (id: number, request: Asked) => Promise<Row | null>): void {
    const { answer, show, path, name, noun } = { ...this.#spec, ...own };
    const { followsVersion = false } = this.#spec;
    const answers = followsVersion ? { 200: answer, 304: notModified } : { 200: answer };
    const spec = { id: `get${name}`, ...tagged(answer, this.#spec), ...own, answers, record: answer };
    this.#route('GET', `${path}/:id`, spec, async (request, reply) => {
      const { id } = request.params;
      const shown = answered(reply, requireFound(await find(id, request), noun, id), show, spec);
      return followsVersion && isKnown(request, String(reply.getHeader('etag')))
        ? reply.code(304).send()
        : shown;
    });
  }

  /** 201; honours `Idempotency-Key`. */
  create<B extends z.ZodType, New extends object = Row>(
    own: Created<New, B>,
    create: (request: Asked<B>, actor: Actor) => Promise<New>,
  ): void {
    const { answer, path, name } = { ...this.#spec, ...own };
    const show = (own.show ?? this.#spec.show) as (row: New) => unknown;
    const spec = {
      id: `create${name}`,
      idempotent: true,
      ...tagged(answer, this.#spec),
      ...own,
      answers: { 201: answer },
    };
    this.#route('POST', path, spec, async (request, reply) =>
      answered(reply, await create(request as Asked<B>, actorOf(request)), show, spec),
    );
  }

  /** Honours `If-Match`. */
  update<B extends z.ZodType>(
    own: Written<Row, B>,
    update: (request: Asked<B>, expected: ExpectedVersions, actor: Actor) => Promise<Row>,
  ): void {
    const { answer, show, path, name } = { ...this.#spec, ...own };
    const spec = {
      id: `update${name}`,
      ...tagged(answer, this.#spec),
      ...own,
      answer,
      errors: conditional(own.errors),
    };
    this.#route('PUT', `${path}/:id`, spec, async (request, reply) =>
      answered(reply, await update(request as Asked<B>, ifMatch(request), actorOf(request)), show, spec),
    );
  }

  /** 204; honours `If-Match`. */
  remove(
    own: Own<Row>,
    remove: (id: number, expected: ExpectedVersions, actor: Actor, request: Asked) => Promise<void>,
  ): void {
    const { path, name } = this.#spec;
    const spec = { id: `delete${name}`, ...own, errors: conditional(own.errors) };
    this.#route('DELETE', `${path}/:id`, spec, async (request) =>
      remove(request.params.id, ifMatch(request), actorOf(request), request),
    );
  }

  /** A verb on one record, without a body: `POST /api/tasks/{id}/archive`. */
  act<After = Row>(
    verb: string,
    own: Own<After>,
    run: (id: number, actor: Actor, request: Asked) => Promise<After>,
  ): void {
    const { answer, path, name } = { ...this.#spec, ...own };
    const show = (own.show ?? this.#spec.show) as (after: After) => unknown;
    const kind = own.answer === undefined ? this.#spec : {};
    const spec = { id: `${verb}${name}`, ...tagged(answer, kind), ...own, answer };
    this.#route('POST', `${path}/:id/${verb}`, spec, async (request, reply) =>
      answered(reply, await run(request.params.id, actorOf(request), request), show, spec),
    );
  }

  /** `archive` and `activate`. */
  statusVerbs(
    own: Pick<Own<Row>, 'answer' | 'show'> & { readonly called: string },
    setStatus: (id: number, status: Status, actor: Actor) => Promise<Row>,
  ): void {
    const { called, ...rest } = own;
    for (const [verb, status] of STATUS_VERBS)
      this.act(
        verb,
        {
          ...rest,
          summary: status === 'archived' ? `Archive a ${called}` : `Make an archived ${called} active again`,
        },
        (id, actor) => setStatus(id, status, actor),
      );
  }

  #route(
    method: string,
    url: string,
    own: AnyRouteSpec,
    handler: (request: Asked, reply: FastifyReply) => Promise<unknown>,
  ): void {
    this.others.add(method, url, own, handler as Handler);
  }
}

function conditional(errors: readonly ErrorCode[] = []): ErrorCode[] {
  return ['PRECONDITION_FAILED', ...errors];
}

/** Whether answers carry an ETag: those of records with a version do. */
function tagged(
  answer: z.ZodType,
  { hidesVersion = false }: { readonly hidesVersion?: boolean },
): { readonly sends?: readonly AnswerHeaderName[] } {
  const isVersioned = hidesVersion || (answer instanceof z.ZodObject && 'version' in answer.shape);
  return isVersioned ? { sends: ['ETag'] } : {};
}

/** The answer of a row, with the ETag of its version where the route sends one. */
function answered<Row>(
  reply: FastifyReply,
  row: Row,
  show: (row: Row) => unknown,
  { sends = [] }: Pick<AnyRouteSpec, 'sends'>,
): unknown {
  if (sends.includes('ETag')) reply.header('etag', etagOf(row as Row & { readonly version: number }));
  return show(row);
}
