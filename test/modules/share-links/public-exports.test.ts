import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { userOf } from '../../support/app.ts';
import { openTestStore } from '../../support/stores.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { dashboardOf } from '../dashboard-widgets/shop.ts';
import { shareOne } from './share-one.ts';

const pool = await startWorkerPool(t);
const member = { 'x-test-principal': JSON.stringify(userOf('viewer')) };

t.test('strangers make four files at once: members have room, who leaves gives back a place', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const generate = { count: 1_000_000, columns: ['id', 'name'] };
  const seed = {
    connectors: { slow: { type: 'dummy', config: { generate, delay_ms: 50 } } },
    dashboards: [dashboardOf('{ id: all, type: explorer, connector: slow, method: list, export: true }')],
  };
  const { app, link, dashboard } = await shareOne(t, store, '', seed, { pool });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  /** A client that has the beginning of its file, and takes no more of it. */
  const open = async (board = link, headers = {}) => {
    const request = get(`${url}${board}/widgets/all/export`, { headers, agent: false });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    answer.on('error', () => undefined);
    return { answer, leave: () => void request.destroy() };
  };
  const files = await Promise.all([open(), open(), open(), open()]);
  for (const { answer } of files) t.equal(answer.statusCode, 200);
  const { answer: refused } = await open();
  t.match(refused, { statusCode: 503, headers: { 'retry-after': String } });
  const told = { error: 'NOT_READY', message: 'The server is busy: try again later' };
  t.match(JSON.parse(await text(refused)), told);
  const own = await open(dashboard, member);
  t.equal(own.answer.statusCode, 200);

  for (const { leave } of [own, ...files]) leave();
  await sleep(200);
  const next = await open();
  t.equal(next.answer.statusCode, 200);
  next.leave();
});
