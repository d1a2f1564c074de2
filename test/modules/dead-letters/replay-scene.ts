import type { Test } from 'tap';
import { systemClock } from '../../../src/base/clock.ts';
import type { DeadLetter, StepResult } from '../../../src/base/run-report.ts';
import { registerDeadLetterReplayRoutes } from '../../../src/modules/dead-letters/dead-letter-replay-routes.ts';
import { createDeadLetterReplays } from '../../../src/modules/dead-letters/dead-letter-replays.ts';
import { registerDeadLetterRoutes } from '../../../src/modules/dead-letters/dead-letter-routes.ts';
import type { NewRun } from '../../../src/modules/runs/run.ts';
import { registerRunRoutes } from '../../../src/modules/runs/run-routes.ts';
import type { Store } from '../../../src/store/store.ts';
import { createTestApp } from '../../support/app.ts';
import { claimOne, completionOf, newExecutor, openPlane, startedRun } from '../runs/plane.ts';

export interface Letter {
  id: number;
  run_id: number;
  status: string;
  item: unknown;
  replay_item: unknown;
  replay_run_id: number | null;
  replay_of: number | null;
}
export interface Answer {
  runs: { id: number; rerun_of: number; replay: { step_id: string; letters: number } }[];
  replaying: number;
  left: number;
}

/** A plane whose API can replay; tasks whose text is `refuse` cannot. */
export async function openScene(t: Test, store: Store) {
  const plane = openPlane(t, store);
  const replays = createDeadLetterReplays({
    store,
    clock: systemClock,
    wakeQueue: () => undefined,
    checkReplay: async (yaml) => (yaml === 'refuse' ? { ok: false, message: 'It cannot' } : { ok: true }),
    taskNow: async () => null,
  });
  const served = await createTestApp(t, (app, { clock }) => {
    registerDeadLetterRoutes(app, { store, clock });
    registerDeadLetterReplayRoutes(app, replays);
    registerRunRoutes(app, { store, runs: plane.runs });
  });
  const operator = served.as('operator');
  const executor = await newExecutor(plane, { features: ['replay'] });
  const letters = async (runId: number, query = '') =>
    (
      await operator.get<{ result: Letter[] }>(`/api/runs/${runId}/dead-letters${query}`)
    ).body.result.reverse();
  const replay = (runId: number, body: object = {}) =>
    operator.post<Answer>(`/api/runs/${runId}/dead-letters/replay`, body);
  /** A run that has ended and has left these letters. */
  const failedRun = async (items: DeadLetter[], yaml = 'steps: []', over: Partial<NewRun> = {}) => {
    const lease = await startedRun(plane, executor, { yaml_content: yaml, ...over });
    await plane.intake.putDeadLetters({ lease, first_seq: 1, items });
    await plane.intake.complete(completionOf(lease, { status: 'warning' }));
    return lease.run_id;
  };
  const claimed = async () => {
    const lease = await claimOne(plane, executor);
    await plane.intake.acknowledge(lease);
    return lease;
  };
  return { plane, served, replays, operator, executor, letters, replay, failedRun, claimed };
}

export const letterOf = (n: number, over: Partial<DeadLetter> = {}): DeadLetter => ({
  step_id: 'shape',
  item: { n },
  code: 'CAST_ERROR',
  message: 'no',
  ...over,
});
export const step = (status: StepResult['status'], over: Partial<StepResult> = {}): StepResult => ({
  step_id: 'shape',
  kind: 'transform',
  cursor: null,
  schema_changes: [],
  status,
  rows_in: 2,
  rows_out: 1,
  rows_failed: 0,
  rows_skipped: 0,
  rows_filtered: 0,
  rows_deleted: 0,
  started_at: 1,
  ended_at: 2,
  attempts: 1,
  error: '',
  ...over,
});
export const statuses = (letters: readonly Letter[]) => letters.map((letter) => letter.status);
