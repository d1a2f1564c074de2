import { idParams } from '../../http/operation.ts';
import type { App } from '../../http/server.ts';
import type { ControlPlane } from '../../protocol/control-plane.ts';
import { executorOperation } from '../executors/executor-operation.ts';
import type { ExecutorSessions } from '../executors/executor-sessions.ts';
import {
  checkpointAnswer,
  checkpointQuery,
  replayRowsAnswer,
  replayRowsQuery,
  runSpecAnswer,
  saveCheckpointBody,
  savedAnswer,
} from './callback-schemas.ts';
import { leaseOfHeaders, requireRunOfPath } from './path-lease.ts';

const tag = 'Executor Callbacks';

/** What a run asks: its specification, and the checkpoints that it keeps from one run to the next. */
export function registerRunReadRoutes(
  app: App,
  controlPlane: ControlPlane,
  sessions: ExecutorSessions,
): void {
  const onRequest = sessions.require;

  app.get(
    '/api/executor-callbacks/runs/:id/spec',
    {
      ...executorOperation({
        id: 'getRunSpec',
        tag,
        summary: 'What a run is to do, with the secrets of its connectors',
        description: 'Only against the newest lease.',
        headers: 'lease',
        params: idParams,
        answers: { 200: runSpecAnswer },
      }),
      onRequest,
    },
    async (request) => controlPlane.runSpec(leaseOfHeaders(request, request.params.id)),
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
      controlPlane.replayRows(leaseOfHeaders(request, request.params.id), request.query.after),
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
      controlPlane.checkpoint(leaseOfHeaders(request, request.params.id), request.query.name),
  );

  app.post(
    '/api/executor-callbacks/runs/:id/checkpoint',
    {
      ...executorOperation({
        id: 'saveRunCheckpoint',
        tag,
        summary: 'Save a checkpoint, where nobody else has since',
        headers: 'session',
        params: idParams,
        body: saveCheckpointBody,
        answers: { 200: savedAnswer },
      }),
      onRequest,
    },
    async (request) => {
      const { value = null, ...rest } = request.body;
      requireRunOfPath(rest.lease.run_id, request.params.id);
      return controlPlane.saveCheckpoint({ ...rest, value });
    },
  );
}
