import type { FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { idParams } from '../../http/operation.ts';
import type { App } from '../../http/server.ts';
import type { Lease } from '../../protocol/control-plane.ts';
import { requireRunId, toLease } from '../../protocol/wire/lease.ts';
import { executorOperation } from '../executors/executor-operation.ts';
import type { ExecutorSessions, HeldBy } from '../executors/executor-sessions.ts';
import {
  checkpointAnswer,
  checkpointQuery,
  replayRowsAnswer,
  replayRowsQuery,
  runSpecAnswer,
  saveCheckpointBody,
  savedAnswer,
} from './callback-schemas.ts';

const tag = 'Executor Callbacks';

/** What a run asks: its specification, and the checkpoints that it keeps from one run to the next. */
export function registerRunReadRoutes(app: App, heldBy: HeldBy, sessions: ExecutorSessions): void {
  const onRequest = sessions.require;

  app.get(
    '/api/executor-callbacks/runs/:id/spec',
    {
      ...executorOperation({
        id: 'getRunSpec',
        tag,
        summary: 'What a run has to do, with the secrets of its connectors',
        description: 'Needs the newest lease.',
        headers: 'lease',
        params: idParams,
        answers: { 200: runSpecAnswer },
      }),
      onRequest,
    },
    async (request) => heldBy(request).runSpec(leaseOfHeaders(request, request.params.id)),
  );

  app.get(
    '/api/executor-callbacks/runs/:id/replay-rows',
    {
      ...executorOperation({
        id: 'listReplayRows',
        tag,
        summary: 'The rows of a run that replays dead letters, page by page; empty after the last',
        headers: 'lease',
        params: idParams,
        query: replayRowsQuery,
        answers: { 200: replayRowsAnswer },
      }),
      onRequest,
    },
    async (request) =>
      heldBy(request).replayRows(leaseOfHeaders(request, request.params.id), request.query.after),
  );

  app.get(
    '/api/executor-callbacks/runs/:id/checkpoint',
    {
      ...executorOperation({
        id: 'getRunCheckpoint',
        tag,
        summary: 'A checkpoint of the run’s job',
        headers: 'lease',
        params: idParams,
        query: checkpointQuery,
        answers: { 200: checkpointAnswer },
      }),
      onRequest,
    },
    async (request) =>
      heldBy(request).checkpoint(leaseOfHeaders(request, request.params.id), request.query.name),
  );

  app.post(
    '/api/executor-callbacks/runs/:id/checkpoint',
    {
      ...executorOperation({
        id: 'saveRunCheckpoint',
        tag,
        summary: 'Save a checkpoint, unless another has been saved since',
        headers: 'session',
        params: idParams,
        body: saveCheckpointBody,
        answers: { 200: savedAnswer },
      }),
      onRequest,
    },
    async (request) => {
      const { value = null, ...rest } = request.body;
      requireRunId(rest.lease, request.params.id);
      return heldBy(request).saveCheckpoint({ ...rest, value });
    },
  );
}

/** The lease of a request without a body: run id from the path, the rest from headers. Query texts end up in logs of proxies. */
function leaseOfHeaders(request: FastifyRequest, runId: number): Lease {
  const { headers } = request;
  return toLease({
    run_id: runId,
    attempt: numberIn(headers['x-lease-attempt'], 'x-lease-attempt'),
    epoch: numberIn(headers['x-lease-epoch'], 'x-lease-epoch'),
    token: textIn(headers['x-lease-token'], 'x-lease-token'),
  });
}

function textIn(value: string | string[] | undefined, name: string): string {
  if (typeof value === 'string') return value;
  throw new AppError('VALIDATION_ERROR', `The header "${name}" is missing; send the lease's`);
}

function numberIn(value: string | string[] | undefined, name: string): number {
  const text = textIn(value, name);
  if (/^\d{1,16}$/.test(text)) return Number(text);
  throw new AppError('VALIDATION_ERROR', `The header "${name}" must be a whole number`);
}
