import t from 'tap';
import { BareExecutor } from '../support/bare-executor.ts';
import { leftLetters } from '../support/crash-scenes.ts';
import { ofFullList } from '../support/fault-list.ts';
import type { FaultWorld } from '../support/fault-world.ts';
import { startWorld } from '../support/fault-world.ts';
import { checkHistory } from '../support/history.ts';
import { checkAudit } from '../support/history-audit.ts';
import { checkLetters } from '../support/history-letters.ts';
import { checkPins, takePins } from '../support/history-pins.ts';
import { checkTicks } from '../support/history-schedule.ts';
import { makeSmallJob } from '../support/load-jobs.ts';
import { changeState } from '../support/state-change.ts';

/* Two control planes on one PostgreSQL: what both are asked for at the same moment happens once, or to one of them. */

const ROUNDS = 6;
t.setTimeout(300_000);

/** The status of each answer, 200 for any success. */
const statusOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: { status: number }) => error.status,
  );

function planes(world: FaultWorld) {
  const [one, two] = world.servers.map((server) => world.apiOf(server));
  if (one === undefined || two === undefined) throw new Error('two servers are wanted');
  return [one, two] as const;
}

t.test('two control planes', ofFullList, async (t) => {
  const world = await startWorld(t, { kind: 'postgres', servers: 2 });
  const both = planes(world);
  const store = await world.openStore();

  await t.test('upgrade a job, start it and tick for it at once: each run is of one version', async (t) => {
    const { jobId, taskId } = await makeSmallJob(world.api, 'raced');
    await world.api.post(`/api/jobs/${jobId}/triggers`, {
      cron: '0 0 1 1 *',
      overlap: 'allow',
      catchup: 'latest',
    });
    const pins = await takePins(store.read);
    for (let round = 1; round <= ROUNDS; round++) {
      const yaml_content = `version: 1\nname: raced_task\nsteps:\n  - { id: say, kind: log, message: "${round}" }\n`;
      await world.api.put(`/api/tasks/${taskId}`, { yaml_content });
      await changeState(
        world.state,
        `update triggers set next_run_at = ${Date.now()} where job_id = ${jobId}`,
      );
      const answers = await Promise.all(
        both.flatMap((api) => [
          statusOf(api.post(`/api/jobs/${jobId}/runs`)),
          statusOf(api.post(`/api/jobs/${jobId}/upgrade`)),
          statusOf(api.post(`/api/jobs/${jobId}/runs`)),
        ]),
      );
      for (const status of answers) t.ok([200, 409].includes(status), `round ${round}: ${status}`);
    }
    await t.resolves(checkPins(store.read, pins));
    await t.resolves(checkTicks(store.read));
    await t.resolves(checkHistory(store.read));
    await t.resolves(checkAudit(store.read));
    const upgrades = await store.read
      .selectFrom('audit_logs')
      .select('id')
      .where('action', '=', 'job.upgrade')
      .execute();
    t.equal(upgrades.length, ROUNDS, 'each version was taken once');
    for (const { id } of await store.read.selectFrom('job_runs').select('id').execute())
      await statusOf(world.api.post(`/api/job-runs/${id}/cancel`, {}));
  });

  await t.test('import one bundle: one does, the other is told that the plan is another', async (t) => {
    for (let round = 0; round < ROUNDS; round++) {
      const tasks = ['a', 'b'].map((letter) => ({
        name: `bundle_${letter}${round}`,
        yaml: `version: 1\nname: bundle_${letter}${round}\nsteps:\n  - { id: say, kind: log, message: hi }\n`,
      }));
      const body = { bundle: JSON.stringify({ headgate_bundle: 1, tasks }) };
      const { plan_hash } = await world.api.post<{ plan_hash: string }>('/api/import?dry_run=true', body);
      const answers = await Promise.all(
        both.map((api) => statusOf(api.post('/api/import', { ...body, plan_hash }))),
      );
      t.same(answers.sort(), [200, 409], `round ${round}`);
      const made = await store.read
        .selectFrom('tasks')
        .select('id')
        .where(
          'name',
          'in',
          tasks.map(({ name }) => name),
        )
        .execute();
      t.equal(made.length, 2);
    }
    const imports = store.read.selectFrom('audit_logs').select('id').where('action', '=', 'bundle.import');
    t.equal((await imports.execute()).length, ROUNDS);
    await t.resolves(checkAudit(store.read));
  });

  await t.test('replay the same letters: each letter goes to one run', async (t) => {
    const [server] = world.servers;
    if (server === undefined) throw new Error('no server');
    for (let round = 0; round < ROUNDS; round++) {
      const runId = await leftLetters({ world, server });
      const path = `/api/runs/${runId}/dead-letters/replay`;
      const remove = () =>
        fetch(new URL(`/api/runs/${runId}`, server.url), {
          method: 'DELETE',
          headers: { authorization: `Bearer ${world.apiKey}` },
        }).then((answer) => answer.status);
      const answers = await Promise.all([
        ...both.flatMap((api) => [statusOf(api.post(path, {})), statusOf(api.post(path, {}))]),
        round % 2 === 0 ? 0 : remove(),
      ]);
      const won = answers.slice(0, 4).filter((status) => status === 200).length;
      t.ok(won <= 1, `round ${round}: ${answers.join(', ')}`);
      const removed = answers[4] === 204;
      t.equal(won, removed ? 0 : 1, 'a run that is gone gave its letters to nobody');
      await t.resolves(checkLetters(store.read));
      if (won === 0) continue;
      const executor = await BareExecutor.register(server.url);
      await executor.complete(await executor.take(), { status: 'skipped' });
      await t.resolves(checkLetters(store.read));
    }
    await t.resolves(checkHistory(store.read));
  });
});
