import type { FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import { z } from 'zod';
import { AppError } from '../../src/base/errors.ts';
import { IDEMPOTENCY_IN_FLIGHT_MS, IDEMPOTENCY_KEPT_MS } from '../../src/base/idempotency.ts';
import { member } from '../../src/http/access.ts';
import { installIdempotency } from '../../src/http/idempotency.ts';
import { operation } from '../../src/http/operation.ts';
import { createIdempotencyStore } from '../../src/store/idempotency-store.ts';
import type { Store } from '../../src/store/store.ts';
import { createTestApp, userOf } from '../support/app.ts';
import { eachStore } from '../support/stores.ts';

const LONG = 'x'.repeat(5_000);

/** A route whose effects are counted; `fail` makes it fail with a code, `wait` holds it until `release`. */
async function counting(t: Test, store: Store) {
  const effects: string[] = [];
  const gate = Promise.withResolvers<void>();
  const app = await createTestApp(t, (app, { clock }) => {
    installIdempotency(
      app as unknown as FastifyInstance,
      createIdempotencyStore(store, () => clock.now()),
    );
    const body = z.strictObject({
      name: z.string(),
      fail: z.enum(['CONFLICT', 'NOT_READY', 'RATE_LIMITED', 'VALIDATION_ERROR']).optional(),
      wait: z.boolean().optional(),
    });
    const make = (idempotent: boolean | 'secret', id: string) =>
      operation({
        id,
        tag: 'T',
        summary: 's',
        access: member('viewer', 'tasks:write'),
        body,
        answers: { 201: z.object({ n: z.number(), name: z.string() }) },
        errors: ['NOT_READY'],
        idempotent,
      });
    for (const [path, idempotent] of [
      ['/things', true],
      ['/tokens', 'secret'],
      ['/plain', false],
    ] as const) {
      app.post(path, make(idempotent, path.slice(1)), async (request, reply) => {
        const { name, fail, wait } = request.body;
        effects.push(name);
        if (wait === true) await gate.promise;
        if (fail !== undefined) throw new AppError(fail, 'as asked');
        return reply.code(201).send({ n: effects.length, name });
      });
    }
  });
  return { ...app, effects, release: () => gate.resolve() };
}

const key = (value: string) => ({ 'idempotency-key': value });

t.test('an Idempotency-Key', async (t) => {
  await eachStore(t, 'replays the first answer to the same request', async (t, store) => {
    const app = await counting(t, store);
    const client = app.as('viewer');
    const first = await client.post(
      '/things',
      { name: LONG, wait: false },
      { ...key('k'), 'accept-encoding': 'identity' },
    );
    t.match(first, { status: 201, headers: { 'idempotent-replayed': undefined } });
    const again = await client.post('/things', { wait: false, name: LONG }, key('k'));
    t.match(again, { status: 201, headers: { 'idempotent-replayed': 'true', 'content-type': /json/ } });
    t.same(again.body, first.body, 'whatever the order of its keys');
    t.equal(app.effects.length, 1);
    await client.post('/things', { name: 'a' }, key('other'));
    await client.post('/things', { name: 'a' });
    await client.post('/plain', { name: 'a' }, key('k'));
    t.equal(app.effects.length, 4, 'another key, none, or a route that does not honour it: another effect');
  });

  await eachStore(t, 'replays an answer that was sent compressed', async (t, store) => {
    const app = await counting(t, store);
    const send = () =>
      app.app.inject({
        method: 'POST',
        url: '/things',
        payload: { name: LONG },
        headers: {
          ...key('k'),
          'accept-encoding': 'gzip',
          'x-test-principal': JSON.stringify(userOf('viewer')),
          'sec-fetch-site': 'same-origin',
        },
      });
    const first = await send();
    t.match([first.statusCode, first.headers['content-encoding']], [201, 'gzip']);
    const again = await send();
    t.match([again.statusCode, again.headers['idempotent-replayed']], [201, 'true']);
    t.same(again.rawPayload, first.rawPayload);
    t.equal(app.effects.length, 1);
  });

  await eachStore(t, 'refuses another request, and one while the first is in flight', async (t, store) => {
    const app = await counting(t, store);
    const client = app.as('viewer');
    const first = client.post('/things', { name: 'slow', wait: true }, key('k'));
    while (app.effects.length === 0) await new Promise((resolve) => setImmediate(resolve));
    t.match(await client.post('/things', { name: 'slow', wait: true }, key('k')), {
      status: 409,
      body: { error: 'CONFLICT', message: /"k" is still running/ },
    });
    app.release();
    t.equal((await first).status, 201);
    t.match(await client.post('/things', { name: 'other' }, key('k')), {
      status: 422,
      body: { error: 'UNPROCESSABLE' },
    });
    t.match(await client.post('/things?x=1', { name: 'slow', wait: true }, key('k')), { status: 422 });
    t.same(app.effects, ['slow']);
  });

  await eachStore(t, 'has one effect of 30 requests at once', async (t, store) => {
    const app = await counting(t, store);
    const client = app.as('viewer');
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => client.post('/things', { name: 'a' }, key('k'))),
    );
    t.same(app.effects, ['a']);
    t.ok(answers.every(({ status }) => status === 201 || status === 409));
    t.equal(
      answers.filter(({ status, headers }) => status === 201 && headers['idempotent-replayed'] === undefined)
        .length,
      1,
    );
  });

  await eachStore(t, 'keeps a refusal, and forgets what may go well later', async (t, store) => {
    const app = await counting(t, store);
    const client = app.as('viewer');
    for (const replayed of [undefined, 'true']) {
      t.match(await client.post('/things', { name: 'a', fail: 'CONFLICT' }, key('refused')), {
        status: 409,
        headers: { 'idempotent-replayed': replayed },
      });
      t.match(await client.post('/things', { name: 'b', fail: 'NOT_READY' }, key('failed')), {
        status: 503,
        headers: { 'idempotent-replayed': undefined },
      });
      t.match(await client.post('/things', { name: 'c', fail: 'RATE_LIMITED' }, key('too often')), {
        status: 429,
        headers: { 'idempotent-replayed': undefined },
      });
    }
    t.same(app.effects, ['a', 'b', 'c', 'b', 'c']);
    const refused = await client.post('/things', { name: 'd', fail: 'VALIDATION_ERROR' }, key('corrected'));
    t.equal(refused.status, 400);
    const corrected = await client.post('/things', { name: 'e' }, key('corrected'));
    t.match(corrected, { status: 201, headers: { 'idempotent-replayed': undefined } }, corrected.text);
    t.equal((await client.post('/things', { nmae: 'c' }, key('invalid'))).status, 400);
    t.equal(
      (await client.post('/things', { name: 'c' }, key('invalid'))).status,
      201,
      'an invalid request takes no key',
    );
  });

  await eachStore(t, 'belongs to who sent it', async (t, store) => {
    const app = await counting(t, store);
    for (const client of [
      app.as(userOf('viewer', 1)),
      app.as(userOf('viewer', 2)),
      app.withKey('viewer', '*'),
    ])
      t.match(await client.post('/things', { name: 'a' }, key('k')), {
        status: 201,
        headers: { 'idempotent-replayed': undefined },
      });
    t.equal(app.effects.length, 3);
  });

  await eachStore(t, 'is forgotten after 24 hours, and five minutes after a death', async (t, store) => {
    const app = await counting(t, store);
    const client = app.as('viewer');
    const post = (name: string) => client.post('/things', { name }, key('k'));
    await post('a');
    app.clock.advance(IDEMPOTENCY_KEPT_MS - 1);
    t.match(await post('a'), { headers: { 'idempotent-replayed': 'true' } });
    app.clock.advance(1);
    t.match(await post('b'), { status: 201, headers: { 'idempotent-replayed': undefined } });
    const dead = createIdempotencyStore(store, () => app.clock.now());
    t.same(await dead.begin('user:1', 'dead', 'hash'), { state: 'mine' });
    app.clock.advance(IDEMPOTENCY_IN_FLIGHT_MS - 1);
    t.same(await dead.begin('user:1', 'dead', 'hash'), { state: 'in_flight' });
    app.clock.advance(1);
    t.same(await dead.begin('user:1', 'dead', 'hash'), { state: 'mine' });
  });

  await eachStore(t, 'does not keep an answer that holds a secret', async (t, store) => {
    const app = await counting(t, store);
    const client = app.as('viewer');
    t.equal((await client.post('/tokens', { name: 'hush' }, key('k'))).status, 201);
    t.match(await client.post('/tokens', { name: 'hush' }, key('k')), {
      status: 409,
      body: { message: /contained a secret/ },
    });
    t.notMatch(JSON.stringify(await store.read.selectFrom('idempotency_keys').selectAll().execute()), /hush/);
    t.same(app.effects, ['hush']);
    t.match(await client.post('/tokens', { name: 'a', fail: 'CONFLICT' }, key('r')), { status: 409 });
    t.match(await client.post('/tokens', { name: 'a', fail: 'CONFLICT' }, key('r')), {
      headers: { 'idempotent-replayed': 'true' },
    });
  });

  await eachStore(t, 'has 1 to 255 characters', async (t, store) => {
    const app = await counting(t, store);
    for (const [value, status] of [
      ['', 400],
      ['x'.repeat(256), 400],
      ['x'.repeat(255), 201],
    ] as const)
      t.equal((await app.as('viewer').post('/things', { name: 'a' }, key(value))).status, status);
  });
});
