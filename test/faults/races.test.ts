import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { readRecords } from '../../bench/support/load-record.ts';
import { settle } from '../support/chaos.ts';
import { ofFullList } from '../support/fault-list.ts';
import { startWorld } from '../support/fault-world.ts';
import { proveHistory } from '../support/history-proof.ts';
import { recordsOf } from '../support/history-records.ts';
import { makeSmallJob, startJobRuns } from '../support/load-jobs.ts';
import { seeded } from '../support/seed.ts';
import { until } from '../support/served.ts';
import { changeState } from '../support/state-change.ts';

const TRIGGERS = 200;
const EXECUTORS = 8;

t.setTimeout(300_000);

t.test(
  'two control planes race for 200 triggers and eight executors for their runs: each once',
  ofFullList,
  async (t) => {
    const { seed } = seeded(t);
    const world = await startWorld(t, { kind: 'postgres', servers: 2 });
    const { jobId } = await makeSmallJob(world.api);
    for (let index = 0; index < TRIGGERS; index++)
      await world.api.post(`/api/jobs/${jobId}/triggers`, {
        name: `trigger ${index}`,
        cron: '0 0 1 1 *',
        overlap: 'allow',
        catchup: 'latest',
      });
    const fleet = world.fleet({
      seed,
      processes: EXECUTORS / 2,
      executorsPerProcess: 2,
      slots: 4,
      linesPerRun: 10,
      faultShare: 0.1,
    });
    // Both are in the middle of their work when all become due at once.
    await until('all executors are there', 60_000, async () => {
      const { result } = await world.api.get<{ result: unknown[] }>('/api/server/executors');
      return result.length === EXECUTORS;
    });
    await startJobRuns(world.api, jobId, EXECUTORS);
    await changeState(world.state, `update triggers set next_run_at = ${Date.now()}`);
    const store = await world.openStore();
    const started = await until('every trigger has fired', 30_000, async () => {
      const rows = await store.read
        .selectFrom('job_runs')
        .select(['id', 'trigger_id'])
        .where('trigger_id', 'is not', null)
        .execute();
      return rows.length >= TRIGGERS && rows;
    });
    // Whoever was late would start them again now.
    await sleep(2_500);
    await settle(world);
    await fleet.stop();
    t.equal(new Set(started.map((row) => row.trigger_id)).size, TRIGGERS);
    const { length } = await store.read
      .selectFrom('job_runs')
      .select('id')
      .where('trigger_id', 'is not', null)
      .execute();
    t.equal(length, TRIGGERS, 'no trigger has fired twice');
    const assigned = recordsOf(readRecords(world.records), 'assigned');
    t.equal(assigned.length, TRIGGERS + EXECUTORS, 'each run was assigned once');
    t.ok(new Set(assigned.map((each) => each.run)).size === TRIGGERS + EXECUTORS);
    await proveHistory(t, world, { seed });
  },
);
