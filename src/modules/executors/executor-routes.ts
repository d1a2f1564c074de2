import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { ControlPlane } from '../../protocol/control-plane.ts';
import { revokedKeyError } from '../../protocol/executor-key.ts';
import { HeldLeases } from '../../protocol/held-leases.ts';
import { WorkPolls } from './dispatch/work-polls.ts';
import { executorRoutes, withoutSession } from './executor-group.ts';
import {
  heartbeatReply,
  leases,
  nextBody,
  nextQuery,
  nextReply,
  registerBody,
  registration,
  requeued,
} from './executor-schemas.ts';
import { createExecutorSessions, type ExecutorSessions } from './executor-sessions.ts';
import type { ExecutorKeyRegistry } from './keys/executor-key-registry.ts';
import { readWireBodies } from './wire-body.ts';

/** Which keys are revoked, and when that changes. */
export type ExecutorKeyEvents = Pick<ExecutorKeyRegistry, 'isRevokedKey' | 'onChange'>;

const WORK_POLL_MS = 1_000;
/** The HTTP binding of the executor contract: registration, liveness and work. `executor-callbacks` has the rest. */
export async function registerExecutorRoutes(
  app: App,
  controlPlane: ControlPlane,
  keys: ExecutorKeyEvents,
): Promise<void> {
  const sessions = createExecutorSessions(controlPlane);
  const polls = new WorkPolls({ controlPlane, workPollMs: WORK_POLL_MS });
  app.addHook('preClose', async () => polls.stop());
  await app.register(async (scope) => {
    readWireBodies(scope as unknown as FastifyInstance);
    const routes = executorRoutes(scope as App, 'Executors', sessions);
    registerRegister(routes, controlPlane);
    registerHeartbeat(routes, controlPlane, sessions);
    registerNext(routes, polls, sessions, keys);
    registerLeave(routes, controlPlane, sessions);
  });
}

function registerRegister(routes: Routes, controlPlane: ControlPlane): void {
  routes.post(
    '/api/executors/register',
    {
      id: 'registerExecutor',
      summary: 'Register an executor',
      description: 'The same name and instance keep their id and get a new session token.',
      ...withoutSession,
      body: registerBody,
      answer: registration,
    },
    async (request) => controlPlane.register(request.body),
  );
}

function registerHeartbeat(routes: Routes, controlPlane: ControlPlane, sessions: ExecutorSessions): void {
  routes.post(
    '/api/executors/:id/heartbeat',
    {
      id: 'heartbeatExecutor',
      summary: 'Renew all leases that an executor holds',
      description: 'Also reattaches leases after an interruption.',
      body: leases,
      answer: heartbeatReply,
    },
    async (request) => {
      const executor = sessions.inPath(request, request.params.id);
      return new HeldLeases(controlPlane, executor).heartbeat(executor, request.body.leases);
    },
  );
}

function registerNext(
  routes: Routes,
  polls: WorkPolls,
  sessions: ExecutorSessions,
  keys: ExecutorKeyEvents,
): void {
  routes.post(
    '/api/executors/:id/next',
    {
      id: 'nextAssignments',
      summary: 'Wait for work and cancels',
      description:
        'Answers as soon as there is either, or with nothing when the time is up. A newer request of the same executor ends this one. An assignment that is not started in time returns to the queue.',
      query: nextQuery,
      body: nextBody,
      answer: nextReply,
    },
    async (request, reply) => {
      const executor = sessions.inPath(request, request.params.id);
      const { credits } = request.body;
      const waitMs = request.query.wait * 1_000;
      const revoked = revokedSignal(request, keys);
      try {
        const signal = AbortSignal.any([goneSignal(reply), revoked.signal]);
        const answer = await polls.next({ executor, credits, waitMs, signal });
        revoked.signal.throwIfAborted();
        return answer;
      } finally {
        revoked.unlisten();
      }
    },
  );
}

function registerLeave(routes: Routes, controlPlane: ControlPlane, sessions: ExecutorSessions): void {
  routes.post(
    '/api/executors/:id/drain',
    {
      id: 'drainExecutor',
      summary: 'Assign no more work to an executor',
    },
    async (request) => controlPlane.drain(sessions.inPath(request, request.params.id)),
  );

  routes.delete(
    '/api/executors/:id',
    {
      id: 'deregisterExecutor',
      summary: 'Deregister an executor; its runs return to the queue at once',
      answer: requeued,
    },
    async (request) => ({
      requeued: await controlPlane.deregister(sessions.inPath(request, request.params.id)),
    }),
  );
}

/** Aborts with `AUTH_ERROR` when the key of the request is revoked while it waits. */
function revokedSignal(
  { principal }: FastifyRequest,
  keys: ExecutorKeyEvents,
): { readonly signal: AbortSignal; readonly unlisten: () => void } {
  const revoked = new AbortController();
  const look = () => {
    if (principal?.type === 'executor' && keys.isRevokedKey(principal.key))
      revoked.abort(revokedKeyError(principal.key));
  };
  const unlisten = keys.onChange(look);
  look();
  return { signal: revoked.signal, unlisten };
}

/** Aborts when the answer is sent, or nobody waits for it any more. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (reply.raw.closed) gone.abort();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}
