import { setTimeout as sleep } from 'node:timers/promises';
import type { Lease } from '../../src/protocol/control-plane.ts';
import { BareExecutor, stepOf } from './bare-executor.ts';
import type { CrashServer } from './crash-server.ts';
import type { FaultWorld } from './fault-world.ts';
import type { HttpReceiver } from './http-receiver.ts';
import { makeSmallJob, startJobRuns } from './load-jobs.ts';
import { until } from './served.ts';
import { changeState } from './state-change.ts';

export interface CrashStage {
  readonly world: FaultWorld;
  readonly server: CrashServer;
  readonly receiver: HttpReceiver;
  /** The number of rows of a query `select count(*) …`. */
  readonly count: (query: string) => Promise<number>;
}

/** A transaction in which a server is killed. */
export interface CrashScene {
  /** What must be there before; the server is whole. */
  readonly arrange: (stage: CrashStage) => Promise<Step>;
}

interface Step {
  /** What must be done while no server runs, where anything must. */
  readonly before?: () => Promise<void>;
  /** What comes right before, on the server that will die: what others do there may pass the same place. */
  readonly ready?: () => Promise<unknown>;
  /** What leads to the transaction. It may fail: the server dies in the middle of it. */
  readonly act: () => Promise<unknown>;
  /** Of everything that the transaction writes, how much is there: all of them say 0, or all 1. */
  readonly written: () => Promise<readonly number[]>;
  /** After the restart: the same again, by whoever would do it. Then everything is there, once. */
  readonly again: () => Promise<unknown>;
}

const WAIT_MS_MAX = 30_000;
const DEATH_MS_MAX = 4_000;

let names = 0;
const newName = (what: string) => {
  names += 1;
  return `${what}${names}`;
};
const taskOf = (name: string, message: string) =>
  `version: 1\nname: ${name}\nsteps:\n  - { id: say, kind: log, message: "${message}" }\n`;
const SHAPING = (name: string) => `
version: 1
name: ${name}
connectors: { source: { type: csv } }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: shape, kind: transform, input: read, ops: [{ cast: { n: integer } }] }
`;

/** What a server does by itself takes it no longer. */
const untilDead = (server: CrashServer) =>
  Promise.race([server.ended(), sleep(DEATH_MS_MAX, null, { ref: false })]);
const eventually = (what: string, check: () => Promise<boolean>) => until(what, WAIT_MS_MAX, check);

export const jobUpgrade: CrashScene = {
  async arrange({ world, count }) {
    const name = newName('upgraded');
    const { jobId, taskId } = await makeSmallJob(world.api, name);
    await world.api.put(`/api/tasks/${taskId}`, { yaml_content: taskOf(`${name}_task`, 'louder') });
    const act = () => world.api.post(`/api/jobs/${jobId}/upgrade`);
    return {
      act,
      written: async () => [
        await count(`select count(*) from job_tasks where job_id = ${jobId} and task_version = 2`),
        await count(`select count(*) from jobs where id = ${jobId} and version = 2`),
        await count(
          `select count(*) from audit_logs where action = 'job.upgrade' and resource_id = '${jobId}'`,
        ),
      ],
      again: act,
    };
  },
};

export const bundleImport: CrashScene = {
  async arrange({ world, count }) {
    const [one, two] = [newName('imported'), newName('imported')];
    const tasks = [one, two].map((name) => ({ name, yaml: taskOf(name, 'hello') }));
    const body = { bundle: JSON.stringify({ headgate_bundle: 1, tasks }), conflict: 'skip' };
    const path = '/api/import';
    const act = async () => {
      const { plan_hash } = await world.api.post<{ plan_hash: string }>(`${path}?dry_run=true`, body);
      await world.api.post(path, { ...body, plan_hash });
    };
    const before = await count(`select count(*) from audit_logs where action = 'bundle.import'`);
    return {
      act,
      written: async () => [
        ...(await Promise.all(
          [one, two].map((name) => count(`select count(*) from tasks where name = '${name}'`)),
        )),
        (await count(`select count(*) from audit_logs where action = 'bundle.import'`)) - before,
      ],
      // Whoever imports again asks for a plan again; where all is there, there is nothing to do.
      async again() {
        const there = await count(`select count(*) from tasks where name in ('${one}', '${two}')`);
        if (there === 0) await act();
      },
    };
  },
};

/** A run that has left two letters, and has ended. */
export async function leftLetters({ world, server }: Pick<CrashStage, 'world' | 'server'>): Promise<number> {
  const name = newName('rows');
  const made = async (path: string, body: object) => (await world.api.post<{ id: number }>(path, body)).id;
  const source = await made('/api/connectors', { name, type: 'csv', config: { path: '/nowhere/a.csv' } });
  const task = await made('/api/tasks', { yaml_content: SHAPING(name) });
  const run = { id: await made(`/api/tasks/${task}/runs`, { connectors: { source } }) };
  const executor = await BareExecutor.register(server.url);
  const lease = await executor.take(run.id);
  await executor.leave(lease, 2);
  await executor.complete(lease, { status: 'warning' });
  return run.id;
}

export const replayStart: CrashScene = {
  async arrange(stage) {
    const runId = await leftLetters(stage);
    const replaying = `select count(*) from dead_letters where run_id = ${runId} and status = 'replaying'`;
    const act = () => stage.world.api.post(`/api/runs/${runId}/dead-letters/replay`, {});
    return {
      act,
      written: async () => [
        (await stage.count(replaying)) / 2,
        await stage.count(`select count(*) from runs where rerun_of = ${runId}`),
        await stage.count(
          `select count(*) from audit_logs where action = 'dead_letter.replay' and resource_id = '${runId}'`,
        ),
      ],
      // Who was not answered asks again; what is replayed already is refused.
      again: () => act().catch((error: { status: number }) => error.status === 409),
    };
  },
};

/** A replay that an executor has in hand, or that waits. */
async function startedReplay(stage: CrashStage): Promise<{ runId: number; replayId: number }> {
  const runId = await leftLetters(stage);
  const path = `/api/runs/${runId}/dead-letters/replay`;
  const { runs } = await stage.world.api.post<{ runs: { id: number }[] }>(path, {});
  return { runId, replayId: runs[0]?.id ?? 0 };
}

export const replaySettle: CrashScene = {
  async arrange(stage) {
    const { runId, replayId } = await startedReplay(stage);
    let [executor, lease]: [BareExecutor | null, Lease | null] = [null, null];
    const complete = async () => {
      if (executor === null || lease === null) throw new Error('no executor has the run');
      await executor.complete(lease, { steps: [stepOf('shape', 'transform', 'success')] });
    };
    return {
      async ready() {
        executor = await BareExecutor.register(stage.server.url);
        lease = await executor.take(replayId);
      },
      act: complete,
      written: async () => [
        (await stage.count(
          `select count(*) from dead_letters where run_id = ${runId} and status = 'replayed'`,
        )) / 2,
        await stage.count(`select count(*) from runs where id = ${replayId} and status = 'success'`),
        await stage.count(
          `select count(*) from run_status_history where run_id = ${replayId} and to_status = 'success'`,
        ),
      ],
      // An executor sends a completion until it is answered.
      again: complete,
    };
  },
};

export const sweptReplay: CrashScene = {
  async arrange(stage) {
    const { runId, replayId } = await startedReplay(stage);
    const where = `id = ${replayId} and status = 'error'`;
    return {
      before: () =>
        changeState(stage.world.state, `update runs set queue_expires_at = 1 where id = ${replayId}`),
      act: () => untilDead(stage.server),
      written: async () => [
        (await stage.count(`select count(*) from dead_letters where run_id = ${runId} and status = 'open'`)) /
          2,
        await stage.count(`select count(*) from runs where ${where}`),
        await stage.count(
          `select count(*) from run_status_history where run_id = ${replayId} and to_status = 'error'`,
        ),
      ],
      again: () =>
        eventually('the run has ended', async () => {
          return (await stage.count(`select count(*) from runs where ${where}`)) === 1;
        }),
    };
  },
};

const webhookTo = ({ world, receiver }: CrashStage, events: string[], jobId: number) =>
  world.api.post<{ id: number }>('/api/webhooks', {
    name: newName('hook'),
    events,
    url: receiver.url,
    job_ids: [jobId],
  });

export const triggerPause: CrashScene = {
  async arrange(stage) {
    const { world, count, server } = stage;
    const { jobId } = await makeSmallJob(world.api, newName('paused'));
    const hook = await webhookTo(stage, ['trigger.paused'], jobId);
    const trigger = await world.api.post<{ id: number }>(`/api/jobs/${jobId}/triggers`, {
      cron: '0 0 1 1 *',
      overlap: 'allow',
      catchup: 'latest',
      pause_after_failures: 1,
    });
    const paused = `select count(*) from triggers where id = ${trigger.id} and enabled = 0`;
    return {
      before: () =>
        changeState(world.state, `update triggers set next_run_at = ${Date.now()} where id = ${trigger.id}`),
      async act() {
        const executor = await BareExecutor.register(server.url);
        const lease = await executor.take();
        await executor.complete(lease, { status: 'error', reason: 'task_error' });
        await untilDead(server);
      },
      written: async () => [
        await count(paused),
        await count(
          `select count(*) from audit_logs where action = 'trigger.pause' and resource_id = '${trigger.id}'`,
        ),
        await count(`select count(*) from webhook_deliveries where webhook_id = ${hook.id}`),
        1 - (await count(`select count(*) from trigger_results where trigger_id = ${trigger.id}`)),
      ],
      again: () => eventually('the trigger is paused', async () => (await count(paused)) === 1),
    };
  },
};

/** An event of a run that has ended is sent, and said to be, whatever happens to who sends it. */
function delivery(written: (stage: CrashStage, id: number) => Promise<number[]>): CrashScene {
  return {
    async arrange(stage) {
      const { jobId } = await makeSmallJob(stage.world.api, newName('told'));
      const hook = await webhookTo(stage, ['job_run.succeeded'], jobId);
      const sent = `select count(*) from webhook_deliveries where webhook_id = ${hook.id} and status = 'delivered'`;
      return {
        async act() {
          const executor = await BareExecutor.register(stage.server.url);
          await startJobRuns(stage.world.api, jobId, 1);
          await executor.complete(await executor.take(), {});
          await untilDead(stage.server);
        },
        written: () => written(stage, hook.id),
        again: () => eventually('it is delivered', async () => (await stage.count(sent)) === 1),
      };
    },
  };
}

export const webhookSettle = delivery(async ({ count }, id) => [
  await count(
    `select count(*) from webhook_deliveries where webhook_id = ${id} and status = 'delivered' and lease_token is null`,
  ),
  await count(`select count(*) from webhooks where id = ${id} and last_success_at is not null`),
]);
export const webhookClaim = delivery(async ({ count }, id) => [
  await count(
    `select count(*) from webhook_deliveries where webhook_id = ${id} and attempts = 1 and lease_token is not null`,
  ),
]);
