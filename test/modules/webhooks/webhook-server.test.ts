import { setTimeout as wait } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { startFullApp } from '../../support/full-app.ts';
import { startReceiver } from '../../support/http-receiver.ts';

for (const kind of ['sqlite', 'postgres'] as const) {
  t.test(
    `the whole server delivers, and neither to itself nor to this machine unless listed (${kind})`,
    async (t) => {
      const receiver = await startReceiver(t);
      const app = await startFullApp(t, kind, { SVC_OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}` });
      const { visitor } = await app.superadmin();
      const input = { name: 'hook', events: '*' };
      for (const url of [app.plane.httpAddress, 'http://localhost/', 'http://127.0.0.1:1/']) {
        const refused = await visitor.post('/api/webhooks', { ...input, url });
        t.equal(refused.status, url.includes('localhost') ? 201 : 400, url);
      }
      const made = await visitor.post<{ id: number; secret: string }>('/api/webhooks', {
        ...input,
        url: receiver.url,
      });
      t.equal(made.status, 201);
      const tested = await visitor.post(`/api/webhooks/${made.body.id}/test`);
      t.equal(tested.status, 201);
      for (let waited = 0; receiver.received.length === 0 && waited < 15_000; waited += 20) await wait(20);
      const [got] = receiver.received;
      t.match(
        new Webhook(made.body.secret).verify(got?.body ?? '', (got?.headers ?? {}) as Record<string, string>),
        {
          type: 'webhook.test',
        },
      );
    },
  );
}
