import type { KyselyPlugin } from 'kysely';
import t from 'tap';
import type { Store } from '../../../src/store/store.ts';
import { eachStore } from '../../support/stores.ts';
import { firedTimes, makeJob, makeTicker, makeTriggers, type TriggerOptions } from './trigger-jobs.ts';

const NINE = '2026-03-10T09:00:00Z';

/** A store that counts the statements which are made with it. */
function counting(store: Store): { store: Store; count: () => number } {
  let statements = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const counted = new Proxy(store, {
    get(target, key) {
      if (key === 'read') return target.read.withPlugin(plugin);
      if (key === 'write')
        return (work: Parameters<Store['write']>[0], name?: string) =>
          target.write((tx) => work(tx.withPlugin(plugin)), name);
      const value = Reflect.get(target, key) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { store: counted, count: () => statements };
}

await eachStore(t, 'a pass makes as many statements for a hundred triggers as for one', async (t, store) => {
  const statementsOf = async (name: string, count: number, options: Partial<TriggerOptions>) => {
    const jobs: number[] = [];
    for (let index = 0; index < count; index++) jobs.push(await makeJob(store, { name: `${name} ${index}` }));
    const ids: number[] = [];
    for (const jobId of jobs)
      ids.push(...(await makeTriggers(store, jobId, 1, { next: NINE, ...options })).map(({ id }) => id));
    const counted = counting(store);
    const { ticker } = makeTicker(counted.store);
    // Later than any jitter of a minute, and not too late.
    const started = await ticker.tick(Date.parse(NINE) + 59_000);
    t.equal(started, count, name);
    t.same(await firedTimes(store, ids[0] ?? 0), ['09:00']);
    return counted.count();
  };
  // The first pass of a store saves the texts that the others share.
  await statementsOf('first', 1, {});
  const one = await statementsOf('one', 1, {});
  t.equal(await statementsOf('hundred', 100, {}), one);
  const rules = {
    jitter_seconds: 30,
    catchup: 'all',
    catchup_window: '6h',
    start_at: Date.parse(NINE),
    end_at: Date.parse(NINE) + 86_400_000,
    pause_after_failures: 1,
  } as const;
  t.equal(await statementsOf('with every rule', 100, rules), one);
  t.comment(`${one} statements`);
  t.ok(one <= 30, `${one}`);
});
