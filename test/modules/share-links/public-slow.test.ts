import t from 'tap';
import { eachStore } from '../../support/stores.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { dashboardOf } from '../dashboard-widgets/shop.ts';
import { shareOne } from './share-one.ts';

interface Batch {
  readonly widgets: Readonly<Record<string, { data?: unknown; error?: string; pending?: boolean }>>;
}

const SLOW_MS = 3_000;
const pool = await startWorkerPool(t);
const connectors = {
  quick: { type: 'dummy', config: { rows: [{ n: 1 }] } },
  slow: { type: 'dummy', config: { rows: [{ n: 2 }], delay_ms: SLOW_MS } },
};
const widgets = dashboardOf(
  '{ id: fast, type: stat, connector: quick, method: list, value_expr: "data[0].n" }',
  '{ id: bad, type: stat, connector: quick, method: nothing, value_expr: data }',
  '{ id: late, type: stat, connector: slow, method: list, value_expr: "data[0].n" }',
);

await eachStore(t, 'a slow widget of a share link holds up no other', async (t, store) => {
  const calls: string[] = [];
  const { anonymous, link } = await shareOne(
    t,
    store,
    '',
    { connectors, dashboards: [widgets] },
    { pool, onWidgetCall: (call) => void calls.push(call) },
  );
  const ask = async (body: object) => {
    const { status, body: answer, headers } = await anonymous.post<Batch>(`${link}/widgets/data`, body);
    return { status, widgets: answer.widgets, etag: headers['etag'] };
  };
  const order: string[] = [];
  const note = async (name: string, body: object) => {
    const answer = await ask(body);
    order.push(name);
    return answer;
  };
  const whole = note('whole', {});
  const some = note('some', { wait_ms: 1_500 });
  const another = note('another', { widget_ids: ['fast'] });
  const there = {
    fast: { data: { value: 1 } },
    bad: { error: 'The data of this widget is not available right now' },
  };
  const partial = await some;
  t.match(partial, { status: 200, widgets: { ...there, late: { pending: true } }, etag: /^"/ });
  t.match((await another).widgets, { fast: there.fast });
  t.match((await ask({ widget_ids: ['late', 'fast'], wait_ms: 0 })).widgets, { late: { pending: true } });
  const late = await ask({ widget_ids: ['late'], wait_ms: 0 });
  t.match(late.widgets, { late: { data: { value: 2 } } }, 'no question is in vain');
  const { etag, widgets: shown } = await whole;
  t.match(shown, { ...there, late: { data: { value: 2 } } });
  t.not(etag, partial.etag);
  t.equal(order.at(-1), 'whole');
  t.same((await ask({ wait_ms: 0 })).etag, etag, 'what is there needs no time');
  t.same(calls.toSorted(), ['bad', 'fast', 'late'], 'each is computed once for all of them');
  t.equal((await ask({ wait_ms: 30_001 })).status, 400);
});
