import type { z } from 'zod';
import type { ErrorCode } from '../base/errors.ts';
import type { Access } from './access.ts';
import { idParams, noContent, operation } from './operation.ts';
import { pageOf } from './paging.ts';

export interface RecordOperationsSpec {
  /** The contract's group. */
  readonly tag: string;
  /** Who may list and get. */
  readonly read: Access;
  /** Who may do everything else. */
  readonly write: Access;
}

/** What each operation says for itself; as in `operation`. */
interface Own {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly errors?: readonly ErrorCode[];
}

type Listed<Q, P> = Own & { readonly query: Q; readonly params?: P; readonly item: z.ZodType };
type Created<B, P> = Own & {
  readonly body: B;
  readonly params?: P;
  readonly answer: z.ZodType;
  /** Where the answer holds a secret that is shown once. */
  readonly idempotent?: 'secret';
};
type Answered = Own & { readonly answer: z.ZodType };

/**
 * The operations that every kind of record has, each with what is the same of it everywhere; a route that has more to say uses
 * `operation` itself. `{id}` is in the path of all but `list` and `create`, which take the `params` of the record that they are under.
 */
export function recordOperations({ tag, read, write }: RecordOperationsSpec) {
  return {
    /** 200 with a page. */
    list<Q extends z.ZodType, P extends z.ZodType = z.ZodUnknown>({ item, ...own }: Listed<Q, P>) {
      return operation<P, Q>({ ...own, tag, access: read, answers: { 200: pageOf(item) } });
    },

    get({ answer, ...own }: Answered) {
      return operation({ ...own, tag, access: read, params: idParams, answers: { 200: answer } });
    },

    /** 201; honours `Idempotency-Key`. */
    create<B extends z.ZodType, P extends z.ZodType = z.ZodUnknown>({ answer, ...own }: Created<B, P>) {
      const answers = { 201: answer };
      return operation<P, z.ZodUnknown, B>({ idempotent: true, ...own, tag, access: write, answers });
    },

    /** Honours `If-Match`. */
    update<B extends z.ZodType>({ answer, errors = [], ...own }: Answered & { readonly body: B }) {
      return operation({
        ...own,
        tag,
        access: write,
        params: idParams,
        answers: { 200: answer },
        errors: ['PRECONDITION_FAILED', ...errors],
      });
    },

    /** 204; honours `If-Match`. */
    remove({ errors = [], ...own }: Own) {
      return operation({
        ...own,
        tag,
        access: write,
        params: idParams,
        answers: { 204: noContent },
        errors: ['PRECONDITION_FAILED', ...errors],
      });
    },

    /** A verb on one record, without a body: `POST /api/tasks/{id}/archive`. */
    act({ answer, ...own }: Answered) {
      return operation({ ...own, tag, access: write, params: idParams, answers: { 200: answer } });
    },
  };
}
