import { idParams } from '../../http/operation.ts';
import type { App } from '../../http/server.ts';
import { outcomeOf, requireRunId } from '../../protocol/wire/lease.ts';
import { executorOperation } from '../executors/executor-operation.ts';
import { leaseOutcome } from '../executors/executor-schemas.ts';
import type { ExecutorSessions, HeldBy } from '../executors/executor-sessions.ts';
import { bytesOf, undecodedValidator } from '../executors/wire-body.ts';
import {
  completionBody,
  deadLetterAck,
  deadLetterBody,
  leaseBody,
  logAck,
  logBody,
  progressBody,
} from './callback-schemas.ts';

const tag = 'Executor Callbacks';

/** What a run tells: that it has begun, how far it is, its log, its failed items, and its end. */
export function registerRunWriteRoutes(app: App, heldBy: HeldBy, sessions: ExecutorSessions): void {
  registerStates(app, heldBy, sessions);
  registerBatches(app, heldBy, sessions);
}

function registerStates(app: App, heldBy: HeldBy, sessions: ExecutorSessions): void {
  const common = { tag, headers: 'session', params: idParams, answers: { 200: leaseOutcome } } as const;
  const onRequest = sessions.require;

  app.post(
    '/api/executor-callbacks/runs/:id/start',
    {
      ...executorOperation({ id: 'startRun', summary: 'A run has begun', body: leaseBody, ...common }),
      onRequest,
    },
    async (request) => {
      const { lease } = request.body;
      requireRunId(lease, request.params.id);
      return outcomeOf(lease, await heldBy(request).acknowledge(lease));
    },
  );

  app.post(
    '/api/executor-callbacks/runs/:id/progress',
    {
      ...executorOperation({
        id: 'reportRunProgress',
        summary: 'Report the progress of a step',
        body: progressBody,
        ...common,
      }),
      onRequest,
    },
    async (request) => {
      const { lease } = request.body;
      requireRunId(lease, request.params.id);
      return outcomeOf(lease, await heldBy(request).progress(request.body));
    },
  );

  app.post(
    '/api/executor-callbacks/runs/:id/complete',
    {
      ...executorOperation({
        id: 'completeRun',
        summary: 'A run has ended; accepted exactly once',
        body: completionBody,
        ...common,
      }),
      onRequest,
    },
    async (request) => {
      const { outputs = null, ...completion } = request.body;
      requireRunId(completion.lease, request.params.id);
      return outcomeOf(completion.lease, await heldBy(request).complete({ ...completion, outputs }));
    },
  );
}

function registerBatches(app: App, heldBy: HeldBy, sessions: ExecutorSessions): void {
  const onRequest = sessions.require;

  app.post(
    '/api/executor-callbacks/runs/:id/logs',
    {
      ...executorOperation({
        id: 'appendRunLogs',
        tag,
        summary: 'Append log lines; what is acknowledged is durable',
        description:
          'May be sent with `Content-Encoding: gzip`. Lines at or below `acked_seq` are ignored, so a batch may be sent again.',
        headers: 'session',
        params: idParams,
        body: logBody,
        answers: { 200: logAck },
        validator: undecodedValidator,
      }),
      onRequest,
    },
    async (request) => {
      const bytes = bytesOf(request.body);
      return heldBy(request).appendLogs({ encoding: 'json', bytes, run_id: request.params.id });
    },
  );

  app.post(
    '/api/executor-callbacks/runs/:id/dead-letters',
    {
      ...executorOperation({
        id: 'putRunDeadLetters',
        tag,
        summary: 'Store failed items',
        headers: 'session',
        params: idParams,
        body: deadLetterBody,
        answers: { 200: deadLetterAck },
      }),
      onRequest,
    },
    async (request) => {
      const { items, ...batch } = request.body;
      requireRunId(batch.lease, request.params.id);
      const letters = items.map(({ item = null, replay_of = 0, ...letter }) => ({
        ...letter,
        item,
        ...(replay_of > 0 && { replay_of }),
      }));
      return heldBy(request).putDeadLetters({ ...batch, items: letters });
    },
  );
}
