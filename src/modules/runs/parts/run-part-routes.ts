import { z } from 'zod';
import { timestampOrNull } from '../../../base/clock.ts';
import { requireFound } from '../../../base/errors.ts';
import type { Routes } from '../../../http/routes.ts';
import type { Store } from '../../../store/store.ts';
import { selectShownRun } from '../run-store.ts';
import { selectParts } from './run-part-store.ts';

const partRecord = z
  .object({
    step_id: z.string().describe('The partitioned extract'),
    number: z.number().int(),
    label: z.string().describe('Condition of its rows'),
    state: z.enum(['open', 'taken', 'staged', 'failed']),
    executor: z.string().nullable().describe('The executor that works or worked on it; null if none has yet'),
    run_id: z
      .number()
      .int()
      .nullable()
      .describe('The run whose log covers it: this one, or one that helped it'),
    attempts: z.number().int().describe('Number of times it was claimed'),
    rows: z.number().describe('Rows in the stage of the target'),
    error: z.string().nullable().describe('Why it last failed'),
    started_at: z.string().nullable(),
    ended_at: z.string().nullable(),
  })
  .meta({ id: 'RunPart' });

/** Parts of runs whose extracts are divided. */
export function registerRunPartRoutes(routes: Routes, store: Store): void {
  routes.get(
    '/api/runs/:id/parts',
    {
      id: 'listRunParts',
      summary: 'The parts of a divided extract, as its newest attempt has them; of most runs none',
      answer: z.object({ result: z.array(partRecord), next_cursor: z.null() }),
    },
    async ({ params }) => {
      requireFound(await selectShownRun(store.read, params.id), 'run', params.id);
      const parts = await selectParts(store.read, params.id);
      return { result: parts.map(toPart), next_cursor: null };
    },
  );
}

function toPart({
  holder_run_id,
  take,
  error,
  started_at,
  ended_at,
  ...part
}: Awaited<ReturnType<typeof selectParts>>[number]) {
  return {
    ...part,
    state: part.state as z.output<typeof partRecord>['state'],
    run_id: holder_run_id,
    attempts: take,
    error: error === '' ? null : error,
    started_at: timestampOrNull(started_at),
    ended_at: timestampOrNull(ended_at),
  };
}
