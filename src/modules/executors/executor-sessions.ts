import type { FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { ControlPlane, ExecutorIdentity } from '../../protocol/control-plane.ts';

const ID_PATTERN = /^[1-9]\d{0,14}$/;
const TOKEN_PATTERN = /^[\x21-\x7e]{1,512}$/;

/** Authenticates the executor of a request; the guard has already checked its key. */
export interface ExecutorSessions {
  /** Hook for `onRequest`: refuses before the body is read. `AUTH_ERROR`. */
  readonly require: (request: FastifyRequest) => Promise<void>;
  /** The executor of a request that passed `require`. */
  of(request: FastifyRequest): ExecutorIdentity;
  /** The same, if it is the one in the path; else `FORBIDDEN`. */
  inPath(request: FastifyRequest, id: number): ExecutorIdentity;
}

/** The control plane for the executor of a request that passed `require`: only its own leases count. */
export type HeldBy = (request: FastifyRequest) => ControlPlane;

export function createExecutorSessions(controlPlane: Pick<ControlPlane, 'authenticate'>): ExecutorSessions {
  const proved = new WeakMap<FastifyRequest, ExecutorIdentity>();

  function of(request: FastifyRequest): ExecutorIdentity {
    const executor = proved.get(request);
    if (executor === undefined) throw new Error('the route does not require an executor session');
    return executor;
  }

  return {
    async require(request) {
      const executor = identityOf(request);
      await controlPlane.authenticate(executor);
      proved.set(request, executor);
    },
    of,
    inPath(request, id) {
      const executor = of(request);
      if (executor.executor_id === id) return executor;
      throw new AppError(
        'FORBIDDEN',
        `The session belongs to executor "${executor.executor_id}", but the path names executor "${id}"`,
      );
    },
  };
}

function identityOf(request: FastifyRequest): ExecutorIdentity {
  const { 'x-executor-id': id, 'x-session-token': token } = request.headers;
  const known = typeof id === 'string' && ID_PATTERN.test(id);
  if (known && typeof token === 'string' && TOKEN_PATTERN.test(token)) {
    return { executor_id: Number(id), session_token: token };
  }
  throw new AppError(
    'AUTH_ERROR',
    'Send "x-executor-id" and "x-session-token" as returned by "POST /api/executors/register"',
  );
}
