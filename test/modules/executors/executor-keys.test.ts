import t, { type Test } from 'tap';
import type { AppError } from '../../../src/base/errors.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import type { Actor } from '../../../src/modules/audit/audit.ts';
import { ExecutorKeyRegistry } from '../../../src/modules/executors/keys/executor-key-registry.ts';
import { registerExecutorKeyRoutes } from '../../../src/modules/executors/keys/executor-key-routes.ts';
import { fingerprintOf, isRevokedKey } from '../../../src/protocol/executor-key.ts';
import { createGrpcClient } from '../../../src/protocol/grpc-client.ts';
import { createGrpcServer } from '../../../src/protocol/grpc-server.ts';
import { GRPC_SERVER_LIMITS } from '../../../src/protocol/grpc-server-limits.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { MemoryControlPlane } from '../../protocol/support/memory-control-plane.ts';
import { eventually, recordSession } from '../../protocol/support/recorded-session.ts';
import { rejectsWith } from '../../protocol/support/rejects-with.ts';
import { logLines, REGISTER_REQUEST } from '../../protocol/support/samples.ts';
import { createTestApp } from '../../support/app.ts';
import { createTestClock, TEST_NOW } from '../../support/clock.ts';
import { eachStore, storeSettings } from '../../support/stores.ts';

const OLD = 'old-executor-key-0123456789-abcdefgh';
const NEW = 'new-executor-key-0123456789-abcdefgh';
const ROOT: Actor = { type: 'user', id: 1, name: 'root@example.com', address: null, requestId: null };

interface Keys {
  readonly current: string | null;
  readonly previous: string | null;
}

const ROTATING: Keys = { current: NEW, previous: OLD };

async function startRegistry(t: Test, store: Store, configured = ROTATING, pollMs = 60_000) {
  const clock = createTestClock();
  const registry = new ExecutorKeyRegistry({ store, clock, logger: silentLogger, configured, pollMs });
  t.teardown(() => registry.stop());
  await registry.start();
  return { registry, clock };
}

/** A gRPC server that lets in whom the registry knows, as the control plane has it. */
async function serve(t: Test, registry: ExecutorKeyRegistry) {
  const plane = new MemoryControlPlane();
  const server = createGrpcServer({
    controlPlane: plane,
    keys: registry.keys,
    isRevokedKey: registry.isRevokedKey,
    onKeyUsed: registry.used,
    limits: { ...GRPC_SERVER_LIMITS, authenticateMs: 2_000 },
    logger: silentLogger,
  });
  const address = `127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
  const unlisten = registry.onChange(() => server.keysChanged());
  t.teardown(async () => {
    unlisten();
    await server.stop(100);
  });
  const connect = (key: string, name: string) => {
    const client = createGrpcClient({ address, key, limits: { reconnectMinMs: 10 } });
    t.teardown(() => client.close());
    return { client, register: () => client.register({ ...REGISTER_REQUEST, name }) };
  };
  return { plane, server, connect };
}

await eachStore(t, 'executors with the old and with the new key work side by side', async (t, store) => {
  const { registry } = await startRegistry(t, store);
  const { connect } = await serve(t, registry);
  for (const key of [OLD, NEW]) {
    const { client, register } = connect(key, key);
    await register();
    const recorded = recordSession(client);
    await recorded.nth('onAttached');
    recorded.session.heartbeat([]);
    t.ok(await recorded.nth('onHeartbeat'));
    recorded.session.close();
    await recorded.nth('onClosed');
  }
  await rejectsWith(t, connect(`${OLD}x`, 'stranger').register(), 'AUTH_ERROR');
});

await eachStore(t, 'a revocation ends what the key has opened, and nothing else', async (t, store) => {
  const { registry } = await startRegistry(t, store);
  const { connect, plane, server } = await serve(t, registry);
  const old = connect(OLD, 'old');
  const renewed = connect(NEW, 'renewed');
  const { executor_id } = await old.register();
  await renewed.register();
  const oldSession = recordSession(old.client);
  const newSession = recordSession(renewed.client);
  await Promise.all([oldSession.nth('onAttached'), newSession.nth('onAttached')]);
  const run = plane.enqueue();
  await plane.claim({ executor_id, session_token: '' }, 1);
  await old.client.appendLogs({ lease: run.lease, first_seq: 1, lines: logLines(1) });
  t.equal(server.counts().streams, 3);

  await registry.revoke(fingerprintOf(OLD), ROOT);
  const closed = (await oldSession.nth('onClosed')) as AppError;
  t.equal(closed.code, 'AUTH_ERROR');
  t.ok(isRevokedKey(closed), 'it is told that the key is revoked');
  t.match(closed.message, fingerprintOf(OLD));
  t.notMatch(closed.message, OLD);
  const refused = await rejectsWith(t, old.register(), 'AUTH_ERROR', /revoked/);
  t.ok(isRevokedKey(refused));
  await rejectsWith(
    t,
    old.client.appendLogs({ lease: run.lease, first_seq: 2, lines: logLines(1, 2) }),
    'AUTH_ERROR',
  );
  t.equal(run.lines.length, 1);
  await eventually('one session', () => server.counts().streams === 1);
  await eventually('the connection to be closed', () => server.counts().connections === 1);
  newSession.session.heartbeat([]);
  t.ok(await newSession.nth('onHeartbeat'));
  t.same(newSession.all('onClosed'), []);
  newSession.session.close();
});

await eachStore(t, 'HTTP refuses a revoked key as gRPC does', async (t, store) => {
  const { registry } = await startRegistry(t, store);
  t.equal(registry.prove(OLD), fingerprintOf(OLD));
  t.equal(registry.prove('x'.repeat(40)), null);
  t.equal(registry.prove(''), null);
  await registry.revoke(fingerprintOf(OLD), ROOT);
  t.throws(() => registry.prove(OLD), { code: 'AUTH_ERROR', message: /is revoked/ });
  t.equal(registry.prove(NEW), fingerprintOf(NEW));
});

await eachStore(t, 'a revoked key in the settings refuses the start, by name', async (t, store) => {
  const { registry } = await startRegistry(t, store);
  await registry.revoke(fingerprintOf(OLD), ROOT);
  await registry.stop();
  for (const [configured, setting] of [
    [ROTATING, /SVC_EXECUTOR_PREVIOUS_KEY/],
    [{ current: OLD, previous: null }, /SVC_EXECUTOR_KEY/],
  ] as const) {
    const again = new ExecutorKeyRegistry({
      store,
      clock: createTestClock(),
      logger: silentLogger,
      configured,
    });
    const error = await rejectsWith(t, again.start(), 'PRECONDITION_FAILED', setting);
    t.match(error.message, fingerprintOf(OLD));
    t.notMatch(error.message, OLD);
    t.same(again.keys(), []);
  }
  const { registry: next } = await startRegistry(t, store, { current: NEW, previous: null });
  t.same(next.keys(), [NEW]);
  t.throws(() => next.prove(OLD), { message: /is revoked/ }, 'and its holder is still told why');
});

await eachStore(t, 'the last valid key cannot be revoked, by two at once neither', async (t, store) => {
  const { registry } = await startRegistry(t, store);
  const both = await Promise.allSettled([
    registry.revoke(fingerprintOf(OLD), ROOT),
    registry.revoke(fingerprintOf(NEW), ROOT),
  ]);
  t.same(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  t.match(
    both.find(({ status }) => status === 'rejected'),
    { reason: { code: 'CONFLICT', message: /last valid executor key.*SVC_EXECUTOR_PREVIOUS_KEY/ } },
  );
  t.equal(registry.keys().length, 1);
  const audited = await store.read.selectFrom('audit_logs').selectAll().execute();
  t.match(audited, [{ action: 'executor_key.revoke', actor_name: 'root@example.com', outcome: 'success' }]);
  t.equal(audited.length, 1);
  await rejectsWith(t, registry.revoke('0123456789abcdef', ROOT), 'NOT_FOUND');
});

await eachStore(t, 'one key in both settings is one key', async (t, store) => {
  const { registry } = await startRegistry(t, store, { current: NEW, previous: NEW });
  t.same(registry.keys(), [NEW]);
  await rejectsWith(t, registry.revoke(fingerprintOf(NEW), ROOT), 'CONFLICT');
  t.equal((await registry.list()).length, 1);
});

await eachStore(t, 'a key without executors of its own may be revoked anywhere', async (t, store) => {
  const past = await startRegistry(t, store, { current: OLD, previous: null });
  await past.registry.stop();
  const { registry } = await startRegistry(t, store, { current: NEW, previous: null });
  t.match(await registry.revoke(fingerprintOf(OLD), ROOT), { setting: null, revoked_by: 'root@example.com' });
  t.same(registry.keys(), [NEW]);
});

await eachStore(t, 'use is noted to the minute', async (t, store) => {
  const { registry, clock } = await startRegistry(t, store);
  const seen = async () =>
    (await registry.list()).find((key) => key.setting === 'current')?.last_seen_at ?? '';
  const noted = async (at: number) => {
    for (let i = 0; i < 200 && Date.parse(await seen()) !== at; i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return Date.parse(await seen());
  };
  t.equal(Date.parse(await seen()), TEST_NOW);
  clock.advance(1_000);
  registry.used(fingerprintOf(NEW));
  t.equal(await noted(TEST_NOW + 1_000), TEST_NOW + 1_000);
  clock.advance(59_000);
  registry.used(fingerprintOf(NEW));
  clock.advance(1_000);
  registry.used(fingerprintOf(NEW));
  t.equal(await noted(TEST_NOW + 61_000), TEST_NOW + 61_000);
  registry.used('0123456789abcdef');
  t.equal((await registry.list()).length, 2);
});

t.test('another server on the same PostgreSQL follows, by news or by its poll', async (t) => {
  const settings = await storeSettings(t, 'postgres');
  const open = async () => {
    const store = await openStore(settings, silentLogger);
    t.teardown(() => store.close());
    return store;
  };
  const one = await startRegistry(t, await open());
  const told = await startRegistry(t, await open(), ROTATING, 60_000);
  const deaf = await open();
  const polling = await startRegistry(t, { ...deaf, listen: () => () => undefined }, ROTATING, 100);
  const { connect, server } = await serve(t, told.registry);
  const old = connect(OLD, 'old');
  await old.register();
  const recorded = recordSession(old.client);
  await recorded.nth('onAttached');
  await one.registry.revoke(fingerprintOf(OLD), ROOT);
  t.equal(((await recorded.nth('onClosed')) as AppError).code, 'AUTH_ERROR');
  await eventually('no stream', () => server.counts().streams === 0);
  await eventually('the poll', () => polling.registry.keys().length === 1);
  t.same(told.registry.keys(), [NEW]);
  const again = await told.registry.revoke(fingerprintOf(OLD), { ...ROOT, name: 'another' });
  t.equal(again.revoked_by, 'root@example.com', 'the first revocation stands');
});

await eachStore(
  t,
  'keys are for superadmins: listed without the key, revoked with an audit row',
  async (t, store) => {
    const { registry } = await startRegistry(t, store);
    const { as, withKey, anonymous } = await createTestApp(t, (app) =>
      registerExecutorKeyRoutes(app, registry),
    );
    const path = '/api/server/executor-keys';
    const listed = await as('superadmin').get<{ result: Record<string, unknown>[] }>(path);
    t.equal(listed.status, 200);
    t.same(
      new Set(listed.body.result.map(({ fingerprint, setting }) => `${fingerprint} ${setting}`)),
      new Set([`${fingerprintOf(NEW)} current`, `${fingerprintOf(OLD)} previous`]),
    );
    t.match(listed.body.result[0], { revoked_at: null, revoked_by: null, first_seen_at: String });
    t.notMatch(listed.text, /executor-key-0123/);
    const revoke = `${path}/${fingerprintOf(OLD)}/revoke`;
    t.equal((await as('admin').get(path)).status, 403);
    t.equal((await as('admin').post(revoke)).status, 403);
    t.equal((await withKey('superadmin', 'server:read').post(revoke)).status, 403);
    t.equal((await anonymous.post(revoke)).status, 401);
    t.match(await as('superadmin').post(revoke), {
      status: 200,
      body: { fingerprint: fingerprintOf(OLD), setting: 'previous', revoked_by: 'superadmin@example.com' },
    });
    t.match(await as('superadmin').post(`${path}/${fingerprintOf(NEW)}/revoke`), {
      status: 409,
      body: { error: 'CONFLICT' },
    });
    t.match(await as('superadmin').post(`${path}/0123456789abcdef/revoke`), { status: 404 });
    t.match(await as('superadmin').post(`${path}/xyz/revoke`), { status: 400 });
  },
);
