import t from 'tap';
import { eachStore } from '../../../support/stores.ts';
import { startWorkerPool } from '../../../support/worker-pool.ts';
import { shareOne } from '../../share-links/share-one.ts';
import { dashboardOf } from '../shop.ts';

interface Batch {
  readonly widgets: Readonly<Record<string, { data?: unknown; error?: string; pending?: boolean }>>;
}

const SLOW_MS = 2_000;
const pool = await startWorkerPool(t);
const connectors = {
  quick: { type: 'dummy', config: { rows: [{ n: 1 }] } },
  slow: { type: 'dummy', config: { rows: [{ n: 2 }], delay_ms: SLOW_MS } },
};
const widgets = dashboardOf(
  '{ id: fast, type: stat, connector: quick, method: list, value_expr: "data[0].n" }',
  '{ id: late, type: stat, connector: slow, method: list, value_expr: "data[0].n" }',
);

await eachStore(
  t,
  'a slow widget holds up no other of a member who does not wait for it',
  async (t, store) => {
    const calls: string[] = [];
    const scene = await shareOne(
      t,
      store,
      '',
      { connectors, dashboards: [widgets] },
      { pool, onWidgetCall: (call) => void calls.push(call) },
    );
    const ask = async (who: 'viewer' | 'editor', body: object) => {
      const answer = await scene.as(who).post<Batch>(`${scene.dashboard}/widgets/data`, body);
      return answer.body.widgets;
    };
    const fast = { data: { value: 1 } };
    const late = { data: { value: 2 } };
    t.match(await ask('viewer', { wait_ms: 300 }), { fast, late: { pending: true } });
    const others = ask('editor', { widget_ids: ['late'], wait_ms: 0 });
    t.match(await ask('viewer', { widget_ids: ['late'], wait_ms: 0 }), { late }, 'no question is in vain');
    t.match(await others, { late });
    t.same(calls.toSorted(), ['fast', 'late'], 'what two read at the same time is read once');
    await ask('viewer', { widget_ids: ['fast'], wait_ms: 300 });
    t.equal(calls.length, 3, 'each answer is given once: who refreshes gets fresh data');
    t.match(await ask('viewer', {}), { fast, late }, 'without a time all that is asked for is awaited');
    const refused = await scene.as('viewer').post(`${scene.dashboard}/widgets/data`, { wait_ms: 30_001 });
    t.equal(refused.status, 400);
  },
);
