import fc from 'fast-check';
import t from 'tap';
import { insertRuns } from '../../../src/modules/runs/run-store.ts';
import { eachStore, openTestStore } from '../../support/stores.ts';
import { newExecutor, newRunOf, openPlane, queueRun } from './plane.ts';

await eachStore(
  t,
  'a job with 2,000 queued runs does not hold up the first run of another',
  async (t, store) => {
    const plane = openPlane(t, store);
    const executor = await newExecutor(plane);
    const many = Array.from({ length: 2_000 }, () => ({
      run: newRunOf({ job_id: 1 }),
      status: 'queued' as const,
    }));
    await store.write((tx) => insertRuns(tx, many, Date.now()));
    const jobsOf = async (count: number) => {
      const ids = (await plane.intake.claim(executor, count)).map(({ lease }) => lease.run_id);
      const rows = await store.read
        .selectFrom('runs')
        .select(['id', 'job_id'])
        .where('id', 'in', ids)
        .execute();
      return rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)).map((row) => row.job_id);
    };
    t.same(await jobsOf(3), [1, 1, 1]);
    for (let run = 0; run < 3; run++) await queueRun(store, { job_id: 2 });
    await queueRun(store, { job_id: 3 });
    t.same((await jobsOf(6)).sort(), [1, 1, 2, 2, 3, 1].sort(), 'each job in its turn');
    for (let run = 0; run < 2; run++) await queueRun(store, { task_id: 7 });
    await queueRun(store, { task_id: 8 });
    t.equal(
      (await jobsOf(4)).filter((job) => job === null).length,
      2,
      'a task without a job counts as one too',
    );
  },
);

t.test('whatever else comes, a run is claimed after a bounded number of others', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const groups = 5;
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ job: fc.integer({ min: 1, max: groups }), some: fc.integer({ min: 1, max: 6 }) }),
        {
          minLength: 3,
          maxLength: 25,
        },
      ),
      async (arrivals) => {
        await store.write((tx) => tx.deleteFrom('runs').execute());
        const passedBy = new Map<number, number>();
        const lengthAt = new Map<number, number>();
        // One claim for every run that comes, so that the queue never gets shorter before the end.
        const claim = async () => {
          const [assignment] = await plane.intake.claim(executor, 1);
          if (assignment === undefined) return false;
          const id = assignment.lease.run_id;
          const bound = (lengthAt.get(id) ?? 0) * (groups + 1);
          if ((passedBy.get(id) ?? 0) > bound)
            throw new Error(`run ${id} was passed by ${passedBy.get(id)} of at most ${bound}`);
          passedBy.delete(id);
          for (const [waiting, passes] of passedBy) passedBy.set(waiting, passes + 1);
          return true;
        };
        for (const { job, some } of arrivals) {
          for (let count = 0; count < some; count++) {
            const id = await queueRun(store, { job_id: job });
            passedBy.set(id, 0);
            lengthAt.set(id, passedBy.size);
          }
          await claim();
        }
        while (await claim());
        return passedBy.size === 0;
      },
    ),
    { numRuns: 15 },
  );
});

t.test('a job that waits is not starved by jobs that never have been there before', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const waiting = new Set<number>();
  for (let run = 0; run < 5; run++) waiting.add(await queueRun(store, { job_id: 1 }));
  let steps = 0;
  for (; waiting.size > 0 && steps < 60; steps++) {
    await queueRun(store, { job_id: 100 + 2 * steps });
    await queueRun(store, { job_id: 101 + 2 * steps });
    const [assignment] = await plane.intake.claim(executor, 1);
    if (assignment !== undefined) waiting.delete(assignment.lease.run_id);
  }
  t.equal(waiting.size, 0, `${steps} claims, with two further jobs at each`);
});
