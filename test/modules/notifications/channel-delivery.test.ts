import t from 'tap';
import { systemActor } from '../../../src/modules/audit/audit.ts';
import { startReceiver } from '../../support/http-receiver.ts';
import { outboundOf } from '../../support/outbound.ts';
import { SMTP_CA, SMTP_LOGIN, startSmtp } from '../../support/smtp-receiver.ts';
import { eachStore, openTestStore } from '../../support/stores.ts';
import { MANUAL, newJob, nodeOf, work } from '../job-runs/job.ts';
import { newExecutor, OPERATOR, openPlane } from '../runs/plane.ts';
import { deliveryOf, openWebhooks } from '../webhooks/webhook-world.ts';
import { MAIL, openChannels } from './channel-world.ts';

await eachStore(
  t,
  'a failing job is told to Slack, Teams and by mail: what, where, why, once, until it recovers',
  async (t, store) => {
    const world = openWebhooks(t, store);
    const slack = await startReceiver(t);
    const teams = await startReceiver(t);
    const smtp = await startSmtp(t);
    const events = ['run.failing', 'run.recovered'] as const;
    const { channels } = openChannels(world);
    await channels.create('slack', { name: 's', events, url: slack.url }, systemActor);
    await channels.create('teams', { name: 't', events, url: teams.url }, systemActor);
    const email = { ...MAIL, port: smtp.port };
    await channels.create('email', { name: 'e', events, email }, systemActor);
    const plane = openPlane(t, store, {}, world.outbox.onJobRunEnded);
    const executor = await newExecutor(plane);
    const job = await newJob(store, [nodeOf('a')]);
    for (const failing of [['a'], ['a'], []]) {
      await plane.jobRuns.start(job, MANUAL, OPERATOR);
      await work(plane, executor, failing);
      // Deliveries are due by the store's clock, which runs while the test's stands.
      world.clock.advance(600_000);
      await world.deliverer().deliverDue();
    }
    const [failure] = await store.read
      .selectFrom('runs')
      .select('error_json')
      .where('status', '=', 'error')
      .execute();
    const { message } = JSON.parse(failure?.error_json ?? '{}') as { message: string };
    t.ok(message);
    for (const { received } of [slack, teams]) {
      t.equal(received.length, 2, 'one when it began to fail, and one when it recovered');
      t.match(received[0]?.body, 'is failing');
      t.match(received[0]?.body, message, 'why');
      t.match(received[0]?.body, /https:\/\/headgate\.example\.com\/job-runs\/\d+"/, 'and where to look');
      t.match(received[1]?.body, 'has recovered');
    }
    t.equal(smtp.received.length, 2);
    const [mail] = smtp.received;
    t.match(mail, { from: 'headgate@example.com', to: ['ops@example.com'], isSecure: false });
    t.match(mail?.content, /^Subject: .*job/m);
    t.match(mail?.content, /^Task: /m);
    t.match(mail?.content, /^Message-ID: <msg_[0-9a-f]{32}@example\.com>\r$/m);
  },
);

await eachStore(t, 'names that others have given stay text', async (t, store) => {
  const world = openWebhooks(t, store);
  const { newChannel } = openChannels(world);
  const slack = await startReceiver(t);
  const teams = await startReceiver(t);
  const smtp = await startSmtp(t);
  const rows = [
    await newChannel('slack', { url: slack.url }),
    await newChannel('teams', { url: teams.url }),
    await newChannel('email', { email: { ...MAIL, port: smtp.port } }),
  ];
  const name =
    '<!channel> & [x](http://evil.example) \u202e*b*\r\nBcc: eve@example.com <img src=x onerror=alert(1)>';
  const event = {
    type: 'executor.lost',
    data: { executor_id: 1, executor_name: name, last_seen_at: '2026-01-15T01:00:00.000Z' },
  } as const;
  await store.write((tx) => world.outbox.emitTo(tx, rows, event, world.clock.now()));
  await world.deliverer().deliverDue();
  const message = JSON.parse(slack.received[0]?.body ?? '') as { text: string; blocks: { type: string }[] };
  t.notMatch(message.text, '<!channel>', 'where Slack reads markup, there is none');
  t.same(
    message.blocks.map(({ type }) => type),
    ['rich_text', 'actions'],
    'the rest has none at all',
  );
  const card = JSON.parse(teams.received[0]?.body ?? '') as {
    attachments: { contentType: string; content: { body: { type: string }[] } }[];
  };
  t.equal(card.attachments[0]?.contentType, 'application/vnd.microsoft.card.adaptive');
  t.ok(card.attachments[0]?.content.body.every(({ type }) => type === 'RichTextBlock'));
  const [mail] = smtp.received;
  t.same(mail?.to, ['ops@example.com']);
  const [headers = '', , html = ''] = mail?.content.split('----_NmP') ?? [];
  t.notMatch(headers, /^Bcc:/m);
  t.match(html, 'text/html');
  t.notMatch(html, '<img');
});

t.test('mail goes over TLS with a sign-in, from the first byte or after STARTTLS', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const world = openWebhooks(t, store);
  const { newChannel, queueTest } = openChannels(world);
  for (const security of ['tls', 'starttls'] as const) {
    const smtp = await startSmtp(t, { secure: security === 'tls', authOptional: false });
    const email = { ...MAIL, ...SMTP_LOGIN, security, port: smtp.port, ca: SMTP_CA };
    const { id } = await newChannel('email', { email });
    const sent = await queueTest(id);
    await world.deliverer().deliverDue();
    t.match(await deliveryOf(store, sent), { status: 'delivered', response_status: 250, error: null });
    t.match(smtp.received, [{ isSecure: true, user: SMTP_LOGIN.username }]);
  }
});

t.test('what a mail server refuses is told without its host, and tried again', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const world = openWebhooks(t, store);
  const { newChannel, queueTest } = openChannels(world);
  const smtp = await startSmtp(t, {
    authOptional: false,
    onRcptTo(address, _, done) {
      done(address.address.startsWith('nobody') ? new Error('No such user here') : null);
    },
  });
  const plain = await startSmtp(t, { disabledCommands: ['STARTTLS'] });
  const signed = { ...MAIL, ...SMTP_LOGIN, security: 'starttls', port: smtp.port, ca: SMTP_CA } as const;
  const cases = [
    [{ ...signed, password: 'wrong' }, /refused the sign-in/, 535],
    [{ ...signed, ca: null }, /TLS with the mail server failed/, null],
    [{ ...signed, port: plain.port }, /TLS with the mail server failed/, null],
    [{ ...signed, to: ['nobody@example.com'] }, /refused the sender or a receiver/, 550],
    [{ ...MAIL, port: 9 }, /cannot be reached/, null],
  ] as const;
  for (const [email, error, status] of cases) {
    const { id } = await newChannel('email', { email });
    const sent = await queueTest(id);
    await world.deliverer().deliverDue();
    const delivery = await deliveryOf(store, sent);
    t.match(delivery, { status: 'pending', error, tries: 1 }, String(error));
    if (status !== null) t.equal(delivery.response_status, status);
    t.notMatch(delivery.error, /localhost|127\.0\.0\.1|sm7p/);
  }
  t.same(smtp.received, []);
  t.same(plain.received, [], 'without TLS nothing is sent');
});

t.test('a channel goes only where the outbound rules let it', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const world = openWebhooks(t, store);
  const { channels, newChannel, queueTest } = openChannels(world);
  const metadata = 'http://169.254.169.254/latest';
  const to = { name: 'x', events: '*' as const };
  await t.rejects(channels.create('slack', { ...to, url: metadata }, systemActor), {
    code: 'VALIDATION_ERROR',
  });
  const email = { ...MAIL, host: '169.254.169.254' };
  await t.rejects(channels.create('email', { ...to, email }, systemActor), { code: 'VALIDATION_ERROR' });
  // The name is looked up when it is sent, and its address judged then.
  const smtp = await startSmtp(t);
  const { id } = await newChannel('email', { email: { ...MAIL, port: smtp.port } });
  const sent = await queueTest(id);
  await world.deliverer({ outbound: outboundOf(t, []) }).deliverDue();
  t.match(await deliveryOf(store, sent), { status: 'pending', error: /outbound policy/ });
  t.same(smtp.received, []);
});

t.test('a channel that is gone is disabled, and a slow one is asked again', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const world = openWebhooks(t, store);
  const { newChannel, queueTest } = openChannels(world);
  const slack = await startReceiver(t);
  slack.answer = (response) => void response.writeHead(429, { 'retry-after': '600' }).end('rate_limited');
  const { id } = await newChannel('slack', { url: slack.url });
  const sent = await queueTest(id);
  await world.deliverer().deliverDue();
  const waiting = await deliveryOf(store, sent);
  t.match(waiting, { status: 'pending', response_status: 429, response_body: 'rate_limited' });
  t.equal(waiting.next_attempt_at, world.clock.now() + 600_000);
  slack.answer = (response) => void response.writeHead(410).end('channel_is_archived');
  world.clock.advance(600_000);
  await world.deliverer().deliverDue();
  const row = await store.read.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow();
  t.match(row, { enabled: 0, disabled_reason: /410/ });
  const audited = await store.read.selectFrom('audit_logs').select('action').execute();
  t.ok(audited.some(({ action }) => action === 'channel.disable'));
});
