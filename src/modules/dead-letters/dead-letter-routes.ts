import { z } from 'zod';
import { timestamp } from '../../base/clock.ts';
import { notFound } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { idParams, operation } from '../../http/operation.ts';
import { pageOf, pageQuery, pagingOf, toPage } from '../../http/paging.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { selectRun } from '../runs/run-store.ts';
import { type DeadLetterRow, selectDeadLetters } from './dead-letter-store.ts';

const tag = 'Dead Letters';
const deadLetter = z
  .object({
    id: z.number().int(),
    run_id: z.number().int(),
    job_id: z.number().int().nullable(),
    attempt: z.number().int(),
    step_id: z.string(),
    item: z.unknown(),
    code: z.string(),
    message: z.string(),
    status: z.string(),
    created_at: z.string(),
  })
  .meta({ id: 'DeadLetter' });
const query = pageQuery.extend({ status: z.enum(['open', 'replayed', 'discarded']).optional() });

/** Rows that a step refused, as it saw them, with the reason: nothing is dropped in silence. */
export function registerDeadLetterRoutes(app: App, store: Store): void {
  const spec = {
    tag,
    access: member('viewer', 'runs:read'),
    params: idParams,
    query,
    answers: { 200: pageOf(deadLetter) },
  };

  app.get(
    '/api/runs/:id/dead-letters',
    operation({ ...spec, id: 'listDeadLettersOfRun', summary: 'Rows that a run could not process' }),
    async (request) => {
      const run_id = request.params.id;
      if ((await selectRun(store.read, run_id)) === null) throw notFound('run', run_id);
      return list({ run_id }, request.query);
    },
  );

  app.get(
    '/api/jobs/:id/dead-letters',
    operation({
      ...spec,
      id: 'listDeadLettersOfJob',
      summary: 'Rows that the runs of a job could not process',
    }),
    async (request) => list({ job_id: request.params.id }, request.query),
  );

  async function list(
    of: { run_id?: number; job_id?: number },
    { limit, cursor, status }: z.infer<typeof query>,
  ) {
    const filters = { ...of, status };
    const paging = pagingOf({ limit, cursor }, filters);
    return toPage(await selectDeadLetters(store.read, filters, paging), paging, toDeadLetter);
  }
}

function toDeadLetter({ item_json, created_at, seq: _seq, ...row }: DeadLetterRow) {
  return { ...row, item: JSON.parse(item_json) as unknown, created_at: timestamp(created_at) };
}
