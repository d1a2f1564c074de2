import type { Routes } from '../../http/routes.ts';
import { outcomeOf, requireRunId } from '../../protocol/wire/lease.ts';
import { leaseOutcome } from '../executors/executor-schemas.ts';
import type { HeldBy } from '../executors/executor-sessions.ts';
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

/** What a run tells: that it has begun, how far it is, its log, its failed items, and its end. */
export function registerRunWriteRoutes(routes: Routes, heldBy: HeldBy): void {
  registerStates(routes, heldBy);
  registerBatches(routes, heldBy);
}

function registerStates(routes: Routes, heldBy: HeldBy): void {
  const answer = leaseOutcome;

  routes.post(
    '/api/executor-callbacks/runs/:id/start',
    { id: 'startRun', summary: 'A run has begun', body: leaseBody, answer },
    async (request) => {
      const { lease } = request.body;
      requireRunId(lease, request.params.id);
      return outcomeOf(lease, await heldBy(request).acknowledge(lease));
    },
  );

  routes.post(
    '/api/executor-callbacks/runs/:id/progress',
    {
      id: 'reportRunProgress',
      summary: 'Report the progress of a step',
      body: progressBody,
      answer,
    },
    async (request) => {
      const { lease } = request.body;
      requireRunId(lease, request.params.id);
      return outcomeOf(lease, await heldBy(request).progress(request.body));
    },
  );

  routes.post(
    '/api/executor-callbacks/runs/:id/complete',
    {
      id: 'completeRun',
      summary: 'A run has ended; accepted exactly once',
      body: completionBody,
      answer,
    },
    async (request) => {
      const { outputs = null, connectors, ...completion } = request.body;
      requireRunId(completion.lease, request.params.id);
      return outcomeOf(
        completion.lease,
        await heldBy(request).complete({ ...completion, outputs, ...(connectors && { connectors }) }),
      );
    },
  );
}

function registerBatches(routes: Routes, heldBy: HeldBy): void {
  routes.post(
    '/api/executor-callbacks/runs/:id/logs',
    {
      id: 'appendRunLogs',
      summary: 'Append log lines; what is acknowledged is durable',
      description:
        'May be sent with `Content-Encoding: gzip`. Lines at or below `acked_seq` are ignored, so a batch may be sent again.',
      body: logBody,
      answer: logAck,
      validatorCompiler: undecodedValidator,
    },
    async (request) => {
      const bytes = bytesOf(request.body);
      return heldBy(request).appendLogs({ encoding: 'json', bytes, run_id: request.params.id });
    },
  );

  routes.post(
    '/api/executor-callbacks/runs/:id/dead-letters',
    {
      id: 'putRunDeadLetters',
      summary: 'Store failed items',
      body: deadLetterBody,
      answer: deadLetterAck,
    },
    async (request) => {
      const { items, ...batch } = request.body;
      requireRunId(batch.lease, request.params.id);
      const letters = items.map(({ item = null, replay_of = 0, origin, column, value, task, ...letter }) => ({
        ...letter,
        item,
        ...(replay_of > 0 && { replay_of }),
        ...(origin !== undefined && { origin }),
        ...(task !== undefined && { task }),
        ...(column !== undefined && { column, value }),
      }));
      return heldBy(request).putDeadLetters({ ...batch, items: letters });
    },
  );
}
