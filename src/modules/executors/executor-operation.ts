import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import type { Access } from '../../http/access.ts';
import { type Operation, type OperationSpec, operation } from '../../http/operation.ts';
import { WIRE_BODY_BYTES_MAX, wireValidator } from './wire-body.ts';

const executorKey: Access = { kind: 'executor' };

const sessionHeaders = {
  'x-executor-id': z.string().describe('The executor_id from the registration'),
  'x-session-token': z.string().describe('The session_token from the registration'),
};
const leaseHeaders = {
  'x-lease-attempt': z.string().describe('The lease’s attempt; its run_id is the path’s'),
  'x-lease-epoch': z.string().describe('The lease’s epoch'),
  'x-lease-token': z.string().describe('The lease’s token'),
};
/** Headers are checked where they are read, with the fitting error; here they are documented. */
const HEADERS = {
  none: null,
  session: z.object(sessionHeaders),
  optional: z.object(sessionHeaders).partial(),
  lease: z.object({ ...sessionHeaders, ...leaseHeaders }),
};

export interface ExecutorOperationSpec<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>
  extends Omit<OperationSpec<P, Q, B>, 'access' | 'tag'> {
  readonly tag: 'Executors' | 'Executor Callbacks';
  /** The required headers besides the executor key. */
  readonly headers: keyof typeof HEADERS;
  readonly validator?: FastifySchemaCompiler<unknown>;
}

export interface ExecutorOperation<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>
  extends Operation<P, Q, B> {
  readonly bodyLimit: number;
  readonly validatorCompiler: FastifySchemaCompiler<unknown>;
}

/**
 * An operation for executors: behind the executor key, with the bodies of `wire-body.ts`, and outside the rate limit per
 * address. One executor speaks for all of its runs; credits, windows and `NOT_READY` throttle it.
 */
export function executorOperation<
  P extends z.ZodType = z.ZodUnknown,
  Q extends z.ZodType = z.ZodUnknown,
  B extends z.ZodType = z.ZodUnknown,
>(spec: ExecutorOperationSpec<P, Q, B>): ExecutorOperation<P, Q, B> {
  const { headers, validator = wireValidator(), ...rest } = spec;
  const errors = [...(spec.errors ?? []), 'NOT_READY' as const];
  const made = operation<P, Q, B>({ ...rest, access: executorKey, errors });
  const documented = HEADERS[headers];
  return {
    schema: documented === null ? made.schema : Object.assign(made.schema, { headers: documented }),
    config: { ...made.config, rateLimit: false },
    bodyLimit: WIRE_BODY_BYTES_MAX,
    validatorCompiler: validator,
  };
}
