import { z } from 'zod';
import { validationError } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import { actorOf } from '../audit/audit.ts';
import { runRecord } from '../runs/run-routes.ts';
import { toRun } from '../runs/shown/shown-run.ts';
import { correctedRows, ROW_BYTES_MAX } from './corrected-rows.ts';
import { type DeadLetterReplays, REPLAY_LETTERS_MAX, type ReplayInput } from './dead-letter-replays.ts';
import { letterCode } from './dead-letter-routes.ts';

const ITEMS_MAX = 1_000;

const id = z.number().int().positive();
const replayInput = z
  .strictObject({
    ids: z
      .array(id)
      .min(1)
      .max(REPLAY_LETTERS_MAX)
      .optional()
      .describe('Default: those of `items`, or else all open ones, oldest first'),
    items: z
      .array(z.strictObject({ id, item: z.record(z.string(), z.unknown()) }))
      .min(1)
      .max(ITEMS_MAX)
      .optional()
      .describe(
        `Corrected rows, as the step should receive them, instead of the stored ones; each of at most ${ROW_BYTES_MAX} bytes of JSON`,
      ),
    code: letterCode.describe('Without `ids` and `items`: only open ones with this code'),
    use: z
      .enum(['snapshot', 'current'])
      .default('snapshot')
      .describe('The version that rejected the row, or the current one of the job or task'),
  })
  .prefault({});

const replayed = z
  .object({
    runs: z.array(runRecord),
    replaying: z.number().int().describe('Dead letters that these runs replay'),
    left: z
      .number()
      .int()
      .describe('Open dead letters, limited to `code` if set, remaining for the next call'),
  })
  .meta({ id: 'DeadLetterReplay' });

export function registerDeadLetterReplayRoutes(app: App, replays: DeadLetterReplays): void {
  const routes = new Routes(app, { tag: 'Dead Letters', write: member('operator', 'runs:run') });
  const spec = {
    description:
      'Starts one run for each task, version and step of the letters. The step that refused the rows gets exactly these, nothing before it runs, ' +
      'and what follows it runs as usual; cursors stay where they are. A letter is `replaying` until its run ends: `replayed` where its row was ' +
      'processed (one that fails again is a new letter, with `replay_of`), `open` again where the run failed before. Refused where a ' +
      `load would replace what it has. At most ${REPLAY_LETTERS_MAX} letters at once; \`left\` says how many remain.`,
    body: replayInput,
    answers: { 201: replayed },
    errors: ['CONFLICT'],
    idempotent: true,
  } as const;

  routes.post(
    '/api/runs/:id/dead-letters/replay',
    { ...spec, id: 'replayDeadLettersOfRun', summary: 'Replay dead letters of a run' },
    async (request) => {
      const of = { run_id: request.params.id };
      const { runs, ...counts } = await replays.replay(of, inputOf(request.body), actorOf(request));
      return { runs: runs.map(toRun), ...counts };
    },
  );

  routes.post(
    '/api/jobs/:id/dead-letters/replay',
    { ...spec, id: 'replayDeadLettersOfJob', summary: 'Replay dead letters of a job' },
    async (request) => {
      const of = { job_id: request.params.id };
      const { runs, ...counts } = await replays.replay(of, inputOf(request.body), actorOf(request));
      return { runs: runs.map(toRun), ...counts };
    },
  );
}

function inputOf({ ids, items = [], code, use }: z.infer<typeof replayInput>): ReplayInput {
  const rows = correctedRows(items);
  if (ids !== undefined && ids.length + rows.size > REPLAY_LETTERS_MAX)
    throw validationError([{ path: 'ids', message: `At most ${REPLAY_LETTERS_MAX} dead letters at once` }]);
  if (code !== undefined && (ids !== undefined || rows.size > 0))
    throw validationError([{ path: 'code', message: 'Give either "code", or "ids" and "items"' }]);
  return { ids: ids ?? null, rows, code, use };
}
