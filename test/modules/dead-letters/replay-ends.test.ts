import t from 'tap';
import type { Lease } from '../../../src/protocol/control-plane.ts';
import { checkHistory } from '../../support/history.ts';
import { checkLetters } from '../../support/history-letters.ts';
import { change } from '../../support/history-scene.ts';
import { eachStore } from '../../support/stores.ts';
import { claimOne, completionOf, FAILED, mustRun, OPERATOR, passTime } from '../runs/plane.ts';
import { letterOf, openScene, statuses, step } from './replay-scene.ts';

type Scene = Awaited<ReturnType<typeof openScene>> & { readonly runId: number; readonly source: number };

interface End {
  readonly letters: 'open' | 'replayed';
  readonly run: string;
  /** Ends the queued replay `runId`. */
  readonly end: (scene: Scene) => Promise<unknown>;
}

const HOURS_MS = 10_000_000;
async function cancel({ operator, runId }: Scene, body: object): Promise<void> {
  const { status, text } = await operator.post(`/api/runs/${runId}/cancel`, body);
  if (status !== 202) throw new Error(text);
}
const complete = async (scene: Scene, lease: Lease, over: Parameters<typeof completionOf>[1]) =>
  scene.plane.intake.complete(completionOf(lease, over));
const update = ({ plane, runId }: Scene, what: string) =>
  change(plane.store, `update runs set ${what} where id = ${runId}`);
async function sweepLater({ plane }: Scene): Promise<void> {
  await passTime(plane.store, HOURS_MS);
  await plane.sweeper.sweep(true);
}
const LOADED = [step('success'), step('success', { kind: 'load', step_id: 'write' })];

/** The first attempt fails for something else after its load, or in its load; it is to be tried again. */
async function failsOnce(scene: Scene, steps: Parameters<typeof completionOf>[1]): Promise<void> {
  await update(scene, 'max_attempts = 3');
  await complete(scene, await scene.claimed(), { ...FAILED, retryable: true, ...steps });
  await passTime(scene.plane.store, HOURS_MS);
}

const ENDS: Readonly<Record<string, End>> = {
  'a success': {
    letters: 'replayed',
    run: 'success',
    end: async (scene) => complete(scene, await scene.claimed(), { steps: LOADED }),
  },
  'an error of a load': {
    letters: 'open',
    run: 'error',
    end: async (scene) =>
      complete(scene, await scene.claimed(), { ...FAILED, steps: [step('success'), step('error')] }),
  },
  'an error before any step': {
    letters: 'open',
    run: 'error',
    end: async (scene) => complete(scene, await scene.claimed(), { ...FAILED, steps: [] }),
  },
  'a success without steps': {
    letters: 'open',
    run: 'success',
    end: async (scene) => complete(scene, await scene.claimed(), { steps: [] }),
  },
  skipped: {
    letters: 'open',
    run: 'skipped',
    end: async (scene) => complete(scene, await scene.claimed(), { status: 'skipped' }),
  },
  'a completion whose acknowledgement was lost': {
    letters: 'replayed',
    run: 'success',
    end: async (scene) => complete(scene, await claimOne(scene.plane, scene.executor), { steps: LOADED }),
  },
  'cancelled in the queue': { letters: 'open', run: 'cancelled', end: (scene) => cancel(scene, {}) },
  'an assignment that nobody took, then cancelled': {
    letters: 'open',
    run: 'cancelled',
    async end(scene) {
      await claimOne(scene.plane, scene.executor);
      await sweepLater(scene);
      await cancel(scene, {});
    },
  },
  'a cancel that the runner heeds': {
    letters: 'open',
    run: 'cancelled',
    async end(scene) {
      const lease = await scene.claimed();
      await cancel(scene, { mode: 'graceful' });
      await complete(scene, lease, { status: 'cancelled', steps: [step('cancelled')] });
    },
  },
  'a cancel that comes too late': {
    letters: 'replayed',
    run: 'success',
    async end(scene) {
      const lease = await scene.claimed();
      await cancel(scene, { mode: 'graceful' });
      await complete(scene, lease, { steps: LOADED });
    },
  },
  'a cancel whose grace runs out': {
    letters: 'open',
    run: 'cancelled',
    async end(scene) {
      await scene.claimed();
      await cancel(scene, { mode: 'graceful', grace_seconds: 1 });
      await sweepLater(scene);
    },
  },
  'a forced cancel': {
    letters: 'open',
    run: 'cancelled',
    async end(scene) {
      await scene.claimed();
      await cancel(scene, { mode: 'force' });
      await sweepLater(scene);
    },
  },
  'a queue timeout': {
    letters: 'open',
    run: 'error',
    async end(scene) {
      await update(scene, 'queue_expires_at = 1');
      await scene.plane.sweeper.sweep(true);
    },
  },
  'a deadline in the queue': {
    letters: 'open',
    run: 'error',
    async end(scene) {
      await update(scene, 'deadline_at = 1');
      await scene.plane.sweeper.sweep(true);
    },
  },
  'a deadline that the runner heeds': {
    letters: 'open',
    run: 'error',
    async end(scene) {
      const lease = await scene.claimed();
      await update(scene, 'deadline_at = 1');
      await scene.plane.sweeper.sweep(true);
      await complete(scene, lease, { status: 'cancelled', steps: [step('cancelled')] });
    },
  },
  'a deadline that nobody heeds': {
    letters: 'open',
    run: 'error',
    async end(scene) {
      await scene.claimed();
      await update(scene, 'deadline_at = 1');
      await scene.plane.sweeper.sweep(true);
      await sweepLater(scene);
    },
  },
  'executors that are lost': {
    letters: 'open',
    run: 'error',
    async end(scene) {
      for (let losses = 0; losses < 3; losses++) {
        await scene.claimed();
        await sweepLater(scene);
        await passTime(scene.plane.store, HOURS_MS);
      }
    },
  },
  'tried again, and cancelled before': {
    letters: 'open',
    run: 'cancelled',
    async end(scene) {
      await failsOnce(scene, { steps: [step('error')] });
      await cancel(scene, {});
    },
  },
  'loaded, tried again for an assertion, and cancelled before': {
    letters: 'replayed',
    run: 'cancelled',
    async end(scene) {
      await failsOnce(scene, { steps: [...LOADED, step('error', { kind: 'assert', step_id: 'check' })] });
      await cancel(scene, {});
    },
  },
  'loaded, tried again for an assertion, and forced to stop': {
    letters: 'replayed',
    run: 'cancelled',
    async end(scene) {
      await failsOnce(scene, { steps: [...LOADED, step('error', { kind: 'assert', step_id: 'check' })] });
      await scene.claimed();
      await cancel(scene, { mode: 'force' });
      await sweepLater(scene);
    },
  },
};

await eachStore(t, 'at each end of a run its letters are replayed or open', async (t, store) => {
  const opened = await openScene(t, store);
  for (const [name, { letters, run, end }] of Object.entries(ENDS)) {
    const source = await opened.failedRun([letterOf(1), letterOf(2)]);
    const answer = await opened.replay(source);
    const runId = answer.body.runs[0]?.id ?? 0;
    t.same(statuses(await opened.letters(source)), ['replaying', 'replaying']);
    await t.resolves(checkLetters(store.read), `before: ${name}`);
    await end({ ...opened, source, runId });
    t.equal((await mustRun(store, runId)).status, run, name);
    t.same(statuses(await opened.letters(source)), [letters, letters], name);
    await t.resolves(checkLetters(store.read), name);
    await t.resolves(checkHistory(store.read));
  }
});

await eachStore(t, 'replays that end in one batch are settled each by itself', async (t, store) => {
  const opened = await openScene(t, store);
  const { plane, executor } = opened;
  const sources: number[] = [];
  for (let n = 0; n < 12; n++) sources.push(await opened.failedRun([letterOf(n)]));
  for (const source of sources) await opened.replay(source);
  const leases = (await plane.intake.claim(executor, 12)).map(({ lease }) => lease);
  t.equal(leases.length, 12);
  await Promise.all(
    leases.map((lease, n) =>
      plane.intake.complete(completionOf(lease, n % 2 ? { ...FAILED, steps: [] } : { steps: LOADED })),
    ),
  );
  await t.resolves(checkLetters(store.read));
  for (const [n, lease] of leases.entries()) {
    const { rerun_of } = await mustRun(store, lease.run_id);
    t.same(statuses(await opened.letters(rerun_of ?? 0)), [n % 2 ? 'open' : 'replayed']);
  }
});

await eachStore(t, 'letters go to a replay or with their run, never both', async (t, store) => {
  const opened = await openScene(t, store);
  const { plane, operator } = opened;
  const came: string[] = [];
  for (let round = 0; round < 15; round++) {
    const source = await opened.failedRun([letterOf(1), letterOf(2)]);
    const [replayed, removed] = await Promise.all([
      opened.replay(source),
      plane.runs.remove(source, OPERATOR).then(
        () => 'removed',
        () => 'refused',
      ),
    ]);
    came.push(`${replayed.status} ${removed}`);
    await t.resolves(checkLetters(store.read), `round ${round}`);
    const runId = replayed.body.runs?.[0]?.id;
    if (runId !== undefined) await operator.post(`/api/runs/${runId}/cancel`, {});
  }
  for (const one of came) t.match(one, /^(201 refused|40[49] removed)$/);
  t.comment(came.join(', '));
});
