import type { FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { Routes } from '../../http/routes.ts';
import type { Lease } from '../../protocol/control-plane.ts';
import { requireRunId, toLease } from '../../protocol/wire/lease.ts';
import { leaseInHeaders } from '../executors/executor-group.ts';
import type { HeldBy } from '../executors/executor-sessions.ts';
import {
  checkpointAnswer,
  checkpointQuery,
  partsAnswer,
  partsBody,
  replayRowsAnswer,
  replayRowsQuery,
  runSpecAnswer,
  saveCheckpointBody,
  savedAnswer,
} from './callback-schemas.ts';

/** What a run asks: its specification, its parts, and the checkpoints that it keeps from one run to the next. */
export function registerRunReadRoutes(routes: Routes, heldBy: HeldBy): void {
  routes.get(
    '/api/executor-callbacks/runs/:id/spec',
    {
      id: 'getRunSpec',
      summary: 'What a run has to do, with the secrets of its connectors',
      description: 'Needs the newest lease.',
      ...leaseInHeaders,
      answer: runSpecAnswer,
    },
    async (request) => heldBy(request).runSpec(leaseOfHeaders(request, request.params.id)),
  );

  routes.get(
    '/api/executor-callbacks/runs/:id/replay-rows',
    {
      id: 'listReplayRows',
      summary: 'The rows of a run that replays dead letters, page by page; empty after the last',
      ...leaseInHeaders,
      query: replayRowsQuery,
      answer: replayRowsAnswer,
    },
    async (request) =>
      heldBy(request).replayRows(leaseOfHeaders(request, request.params.id), request.query.after),
  );

  routes.get(
    '/api/executor-callbacks/runs/:id/checkpoint',
    {
      id: 'getRunCheckpoint',
      summary: 'A checkpoint of the run’s job',
      ...leaseInHeaders,
      query: checkpointQuery,
      answer: checkpointAnswer,
    },
    async (request) =>
      heldBy(request).checkpoint(leaseOfHeaders(request, request.params.id), request.query.name),
  );

  routes.post(
    '/api/executor-callbacks/runs/:id/checkpoint',
    {
      id: 'saveRunCheckpoint',
      summary: 'Save a checkpoint, unless another has been saved since',
      body: saveCheckpointBody,
      answer: savedAnswer,
    },
    async (request) => {
      const { value = null, ...rest } = request.body;
      requireRunId(rest.lease, request.params.id);
      return heldBy(request).saveCheckpoint({ ...rest, value });
    },
  );

  routes.post(
    '/api/executor-callbacks/runs/:id/parts',
    {
      id: 'workOnRunParts',
      summary: 'Offer, take and end parts of a divided extract',
      description: 'One question of a run at a time. The same question again does no harm.',
      body: partsBody,
      answer: partsAnswer,
    },
    async (request) => {
      const { offer, ...rest } = request.body;
      requireRunId(rest.lease, request.params.id);
      const offered = offer && { ...offer, order: offer.order ?? null };
      return heldBy(request).parts({ ...rest, offer: offered });
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
