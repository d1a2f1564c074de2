import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { openTestStore } from '../../support/stores.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { openPublicScene } from './public-scene.ts';

/** Long enough for a request to begin its computation, or to join another's. */
const JOIN_MS = 300;

t.test('a member and a stranger who ask at the same moment share no answer', async (t) => {
  const folder = t.testdir();
  const pool = await startWorkerPool(t, { fileRoots: [folder] });
  const calls: string[] = [];
  const gate = Promise.withResolvers<void>();
  const scene = await openPublicScene(
    t,
    await openTestStore(t, 'sqlite'),
    { folder, pool },
    {
      onWidgetCall: (call) => {
        calls.push(call);
        return gate.promise;
      },
    },
  );
  // Both may fill it in, so that nothing but the view tells them apart.
  const asked = { widget_ids: ['map'] };
  const member = scene.as('operator').post(`${scene.dashboard}/widgets/data`, asked);
  while (calls.length === 0) await sleep(1);
  const stranger = scene.visitor().post(`${scene.link}/widgets/data`, asked);
  for (let waited = 0; calls.length < 2 && waited < JOIN_MS; waited += 5) await sleep(5);
  gate.resolve();
  t.match((await member).text, /uppercase/, 'a member sees the expression');
  t.match((await stranger).text, /"has_transform":true/);
  t.notMatch((await stranger).text, /uppercase/, 'a stranger does not');
});
