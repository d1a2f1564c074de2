import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import type { Access } from './access.ts';
import { fieldsOf, fieldsText, fieldsWriter, withFields } from './answers/answer-fields.ts';
import { type Answer, idParams, noContent, type OperationSpec, operation } from './operation.ts';
import {
  answerPage,
  type ListRequest,
  type Paging,
  pageOf,
  pagingOf,
  type SortKey,
  toPage,
} from './paging.ts';
import type { App } from './server.ts';

/** What the routes of a room have in common. */
export interface RouteGroup {
  /** The contract's group. */
  readonly tag: string;
  /** Who may call GET routes that do not state their own `access`. */
  readonly read?: Access;
  /** Who may call the other routes that do not state their own `access`. */
  readonly write?: Access;
  /** What each route states that does not say otherwise. */
  readonly common?: Partial<AnyRouteSpec>;
}

/** What one route states itself; `params` default to the `{id}` of its path. */
export type RouteSpec<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Omit<
  OperationSpec<P, Q, B>,
  'tag' | 'access' | 'answers'
> &
  Pick<
    RouteOptions,
    'bodyLimit' | 'onRequest' | 'preValidation' | 'attachValidation' | 'validatorCompiler'
  > & {
    readonly tag?: string;
    readonly access?: Access;
    /** With status 200. Without this and `answers` the status is 204, whatever the handler resolves to. */
    readonly answer?: Answer;
    /** Where there is only one, what the handler resolves to is sent with its status. */
    readonly answers?: OperationSpec<P, Q, B>['answers'];
    readonly compress?: false;
    /** The record whose fields `fields` names: the answer, or those on the page that is the answer. */
    readonly record?: z.ZodType;
  };

export type AnyRouteSpec = RouteSpec<z.ZodType, z.ZodType, z.ZodType>;

type Params<Url extends string, P extends z.ZodType> = z.ZodUnknown extends P
  ? Url extends `${string}/:id${'' | `/${string}`}`
    ? z.output<typeof idParams>
    : unknown
  : z.output<P>;

/** A request whose parts have passed their schemas. */
export type Asked<Params, Q extends z.ZodType, B extends z.ZodType> = FastifyRequest & {
  readonly params: Params;
  readonly query: z.output<Q>;
  readonly body: z.output<B>;
};

export type Handler<Request extends FastifyRequest = FastifyRequest> = (
  request: Request,
  reply: FastifyReply,
) => Promise<unknown>;

/** Registers a room's routes, each from one description of what is its own. */
export class Routes {
  readonly #app: FastifyInstance;
  readonly #group: RouteGroup;

  constructor(app: App, group: RouteGroup) {
    this.#app = app as unknown as FastifyInstance;
    this.#group = group;
  }

  get = this.#verb('GET');
  post = this.#verb('POST');
  put = this.#verb('PUT');
  delete = this.#verb('DELETE');

  #verb(method: string) {
    return <
      Url extends string,
      P extends z.ZodType = z.ZodUnknown,
      Q extends z.ZodType = z.ZodUnknown,
      B extends z.ZodType = z.ZodUnknown,
    >(
      url: Url,
      own: RouteSpec<P, Q, B>,
      handler: Handler<Asked<Params<Url, P>, Q, B>>,
    ): void => this.add(method, url, own, handler as Handler);
  }

  /**
   * 200 with a page: `select` reads one row more than that, and `show` makes an `answer` of each. `order` is that of a list
   * without `sort`.
   */
  list<Url extends string, Q extends z.ZodType, Row extends { readonly id: number }>(
    url: Url,
    own: AnyRouteSpec & { readonly query: Q; readonly answer: z.ZodType },
    select: (
      request: Asked<Params<Url, z.ZodUnknown>, Q, z.ZodUnknown>,
      paging: Paging,
    ) => Promise<readonly Row[]>,
    show: (row: Row) => unknown,
    order?: SortKey,
  ): void {
    const spec = { ...own, record: own.answer, answer: pageOf(own.answer), sends: ['Link' as const] };
    this.add('GET', url, spec, async (request, reply) => {
      const paging = pagingOf(request as ListRequest, order);
      const rows = await select(request as Parameters<typeof select>[0], paging);
      return answerPage(request, reply, toPage(rows, paging, show));
    });
  }

  add(method: string, url: string, own: AnyRouteSpec, handler: Handler): void {
    const { tag, read, write, common } = this.#group;
    const { answer, record, ...spec } = { ...common, ...own };
    const access = own.access ?? (method === 'GET' ? read : write);
    if (access === undefined) throw new Error(`The route "${method} ${url}" does not state its access`);
    const answers = own.answers ?? (answer === undefined ? { 204: noContent } : { 200: answer });
    const params = own.params ?? (/\/:id(\/|$)/.test(url) ? idParams : undefined);
    const sparse = record instanceof z.ZodObject ? record : null;
    const query = sparse === null ? own.query : withFields(own.query, sparse);
    const options = operation({
      tag,
      ...spec,
      access,
      answers,
      ...(params && { params }),
      ...(query && { query }),
    });
    const whole = answering(handler, Object.keys(answers));
    // fastify passes over what is not an option of its own.
    this.#app.route({ ...spec, method, url, ...options, handler: sparse ? choosing(whole, sparse) : whole });
  }
}

/** The handler, whose answer has only the fields that a request asks for. */
function choosing(handler: Handler, record: z.ZodObject): Handler {
  const write = fieldsWriter(record);
  return async (request, reply) => {
    const answered = await handler(request, reply);
    const fields = fieldsOf(request);
    if (fields === null || answered === reply || reply.sent) return answered;
    return fieldsText(reply, answered as object, write, fields);
  };
}

/** The handler, with the one status that its route has. */
function answering(handler: Handler, [only, ...others]: readonly string[]): Handler {
  const status = Number(only);
  if (status === 200 || others.length > 0) return handler;
  return async (request, reply) => {
    const answered = await handler(request, reply);
    reply.code(status);
    return status === 204 ? undefined : answered;
  };
}
