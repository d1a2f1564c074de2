import type { Test } from 'tap';
import type { ValidateJobConfig } from '../../../src/modules/jobs/config/job-config-service.ts';
import { registerBackfillRoutes } from '../../../src/modules/triggers/backfill/backfill-routes.ts';
import { createBackfills } from '../../../src/modules/triggers/backfill/backfill-service.ts';
import type { Store } from '../../../src/store/store.ts';
import { createTestApp } from '../../support/app.ts';
import { makeTicker } from './trigger-jobs.ts';

export interface Plan {
  plan_id: string;
  total: number;
  times: { scheduled_for: string; outcome: string; job_run_id: number | null }[];
  warnings: string[];
  message?: string;
}
export interface Backfill {
  id: number;
  status: string;
  total: number;
  progress: Record<string, number>;
  message?: string;
}

export const RANGE = { from: '2026-03-01T00:00:00Z', to: '2026-03-01T06:00:00Z' };

/** The rule of this test's jobs: `n` is a number. */
const validateJobConfig: ValidateJobConfig = async (_yaml, values) => {
  const n = (values as Record<string, unknown>)['n'] ?? 0;
  return typeof n === 'number'
    ? { problems: [], values }
    : { problems: [{ path: 'n', message: '"n" must be a number' }], values };
};

/** The routes of backfills over a store, and the ticker of the same control plane. */
export function openBackfills(t: Test, store: Store) {
  const { jobRuns, evaluateKey, ticker } = makeTicker(store);
  const parts: { backfills: ReturnType<typeof createBackfills> | null } = { backfills: null };
  return createTestApp(t, (app, { clock }) => {
    parts.backfills = createBackfills({ store, clock, jobRuns, evaluateKey, validateJobConfig });
    registerBackfillRoutes(app, { store, backfills: parts.backfills });
  }).then((app) => ({
    ...app,
    ticker,
    jobRuns,
    advance: () => parts.backfills?.advance() ?? Promise.resolve(0),
  }));
}
