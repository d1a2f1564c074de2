import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import t from 'tap';
import type { ConnectContext } from '../../../src/drivers/driver.ts';
import { mongodbDriver } from '../../../src/drivers/mongodb/driver.ts';
import { ofFullList } from '../../support/fault-list.ts';
import { batchOf, fault, load, never, until } from '../sql/engines.ts';
import { connectTo, context, rowsOf } from './mongo-database.ts';
import { startWireServer, type WireOptions } from './wire-server.ts';

const tls = (name: string) =>
  readFileSync(new URL(`../../protocol/fixtures/tls/${name}.pem`, import.meta.url), 'utf8');

type Tap = { teardown(fn: () => unknown): void };

async function wire(t: Tap, options: WireOptions = {}) {
  const server = await startWireServer(options);
  t.teardown(() => server.close());
  return server;
}

const hostOf = (port: number) => ({ host: '127.0.0.1', port, database: 'd', connect_timeout_ms: 1_500 });

t.test('what is wrong with the way in is told by its fault, and no host is named', ofFullList, async (t) => {
  const server = await wire(t, {
    answer: (name) =>
      name === 'saslStart' ? { ok: 0, code: 18, errmsg: 'Authentication failed.' } : undefined,
  });
  t.equal(
    await (await connectTo(t, hostOf(server.port))).test(never),
    'MongoDB 8.0.0, without transactions; the database has no collections',
  );
  const login = await connectTo(t, { ...hostOf(server.port), user: 'u', password: 'wrong' });
  await t.rejects(login.test(never), fault('AUTH', /refused the user or the password/));
  await t.rejects(
    (await connectTo(t, hostOf(1))).test(never),
    fault('UNAVAILABLE', /nothing listens at this port/),
  );
  const nowhere = await connectTo(t, { ...hostOf(server.port), host: 'nowhere.invalid' });
  await t.rejects(nowhere.test(never), fault('UNAVAILABLE', /No server has this host name/));
  const other = await connectTo(t, { ...hostOf(server.port), replica_set: 'other' });
  await t.rejects(other.test(never), { name: 'ConnectorError', message: /^(?!.*127\.0)/ });
  const forbidden = await wire(t, {
    answer: (name) => (name === 'find' ? { ok: 0, code: 13, errmsg: 'not authorized on d' } : undefined),
  });
  const c = await connectTo(t, hostOf(forbidden.port));
  await t.rejects(rowsOf(c, 'find', { collection: 'x' }), fault('AUTH', /may not do this/));
  const late = await wire(t, {
    answer: (name) =>
      name === 'find' ? { ok: 0, code: 50, errmsg: 'operation exceeded time limit' } : undefined,
  });
  await t.rejects(
    rowsOf(await connectTo(t, hostOf(late.port)), 'find', { collection: 'x' }),
    fault('UNAVAILABLE', /operation_timeout_ms/),
  );
});

t.test('a host or a port that leads nowhere is told at once, without the time for an election', async (t) => {
  const within = { ...hostOf(1), connect_timeout_ms: 60_000 };
  const startedAt = performance.now();
  await t.rejects(
    (await connectTo(t, within)).test(never),
    fault('UNAVAILABLE', /nothing listens at this port/),
  );
  const misspelled = await connectTo(t, { ...within, host: 'nowhere.invalid' });
  await t.rejects(misspelled.test(never), fault('UNAVAILABLE', /No server has this host name/));
  t.ok(performance.now() - startedAt < 20_000, 'neither waited for its minute');
});

t.test('configurations that cannot be used are refused with the reason', async (t) => {
  const host = hostOf(27_017);
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{}, /either "url" or "host"/],
    [{ host: 'x' }, /Give a database/],
    [{ ...host, url: 'mongodb://x/d' }, /either/],
    [{ ...host, host: 'a,b' }, /one host name/],
    [{ ...host, database: 'a.b' }, /not the name of a database/],
    [{ ...host, user: 'u' }, /Give the password/],
    [{ url: 'http://x/y' }, /not a MongoDB URL/],
    [{ url: 'mongodb://127.0.0.1' }, /Give a database/],
    [{ url: 'mongodb://%2Ftmp%2Fx.sock/d' }, /must name hosts/],
    [{ url: 'mongodb+srv://a:1/d' }, /without a port/],
    [{ url: 'mongodb+srv://a,b/d' }, /one host/],
    [{ url: 'mongodb://127.0.0.1/d?tlsCAFile=/etc/passwd' }, /"tlsCAFile", which is not offered/],
    [{ url: 'mongodb://127.0.0.1/d?proxyHost=x' }, /"proxyHost"/],
    [{ url: 'mongodb://127.0.0.1/d?authMechanism=MONGODB-AWS' }, /authMechanism/],
    [{ url: 'mongodb://127.0.0.1/d?tls=maybe' }, /"tls"/],
    [{ url: 'mongodb://u:%zz@127.0.0.1/d' }, /%25/],
    [{ ...host, odd: 1 }, /odd/],
  ];
  for (const [config, message] of wrong)
    await t.rejects(mongodbDriver.connect(config, context), fault('CONFIG', message));
});

t.test('encryption: required, verified with its name, or refused', ofFullList, async (t) => {
  const secure = await wire(t, { tls: { cert: tls('server'), key: tls('server-key') } });
  const host = hostOf(secure.port);
  const ca = tls('ca');
  t.match(await (await connectTo(t, { ...host, ssl: 'require' })).test(never), /MongoDB/);
  t.match(await (await connectTo(t, { ...host, ssl: 'verify-full', ca })).test(never), /MongoDB/);
  t.match(
    await (await connectTo(t, { url: `mongodb://127.0.0.1:${secure.port}/d?tls=true`, ca })).test(never),
    /MongoDB/,
  );
  await t.rejects(
    (await connectTo(t, { ...host, ssl: 'verify-full' })).test(never),
    fault('CONFIG', /certificate/),
  );
  await t.rejects((await connectTo(t, host)).test(never), fault('UNAVAILABLE', /encryption/));
  const plain = await wire(t);
  const refused = (await connectTo(t, { ...hostOf(plain.port), ssl: 'require' })).test(never);
  await t.rejects(refused, {
    name: 'ConnectorError',
    message: /encryption|closed the connection|did not answer/,
  });
});

t.test(
  'a server that never answers is UNAVAILABLE in time, and a cancelled call ends at once',
  ofFullList,
  async (t) => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    t.teardown(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const { port } = silent.address() as AddressInfo;
    const c = await connectTo(t, { ...hostOf(port), connect_timeout_ms: 300 });
    await t.rejects(c.test(never), fault('UNAVAILABLE', /did not answer in time/));
    await t.rejects(c.openWriter(load({ mode: 'append' })), fault('UNAVAILABLE'));
    const slow = await connectTo(t, { ...hostOf(port), connect_timeout_ms: 60_000 });
    await t.rejects(slow.test(AbortSignal.timeout(100)), fault('UNAVAILABLE', 'The call was cancelled'));
  },
);

t.test(
  'a cancelled read closes its connection, so that the database ends its work; the connector goes on',
  async (t) => {
    let asked = 0;
    const server = await wire(t, {
      answer: (name, command) => {
        if (name !== 'find' || command['find'] !== 'slow') return undefined;
        asked++;
        return new Promise<never>(() => undefined);
      },
    });
    const c = await connectTo(t, hostOf(server.port));
    await c.test(never);
    const before = server.sockets.size;
    const cancel = new AbortController();
    const reading = (async () => {
      for await (const _ of c.read({ method: 'find', args: { collection: 'slow' }, signal: cancel.signal }));
    })();
    await until(async () => asked === 1);
    cancel.abort();
    await t.rejects(reading, fault('UNAVAILABLE', 'The call was cancelled'));
    await until(async () => server.sockets.size < before + 1);
    t.match(await c.test(never), /MongoDB/);
  },
);

t.test('a load that is cancelled is taken back', async (t) => {
  const server = await wire(t);
  const c = await connectTo(t, hostOf(server.port));
  const cancel = new AbortController();
  const writer = await c.openWriter({ ...load({ mode: 'append' }), signal: cancel.signal });
  await writer.write(batchOf([{ id: 1 }]));
  t.equal(server.store.documents('people').length, 1);
  cancel.abort();
  await t.rejects(writer.write(batchOf([{ id: 2 }])), fault('UNAVAILABLE', 'The call was cancelled'));
  await writer.abort();
  t.equal(server.store.documents('people').length, 0);
});

t.test('a connection that breaks while rows are taken is tried again, and names no host', async (t) => {
  const ends = new Set(['insert', 'update']);
  const cut = async (name: string) => {
    if (ends.has(name)) throw new Error('cut');
    return undefined;
  };
  const server = await wire(t, { answer: cut });
  for (const mode of ['append', 'merge'] as const) {
    const c = await connectTo(t, { ...hostOf(server.port) });
    const writer = await c.openWriter(load({ mode, key: mode === 'merge' ? ['id'] : [] }));
    await t.rejects(
      writer.write(batchOf([{ id: 1, a: 2 }])),
      fault('UNAVAILABLE', /^MongoDB (closed|cannot)/),
      mode,
    );
    await writer.abort().catch(() => undefined);
  }
});

t.test(
  'the outbound policy holds for every host, also for members that a server names',
  ofFullList,
  async (t) => {
    const none: ConnectContext = {
      ...context,
      outbound: { policy: 'block-metadata', allow: [], ownPorts: [] },
    };
    const server = await wire(t);
    await t.rejects(mongodbDriver.connect(hostOf(server.port), none), fault('CONFIG', /outbound policy/));
    const named = await connectTo(t, { ...hostOf(server.port), host: 'localhost' }, none);
    await t.rejects(named.test(never), fault('CONFIG', /may not connect to "localhost"/));
    t.equal(server.sockets.size, 0, 'nothing was connected to');
    const trap = createServer((socket) => socket.destroy()).listen(0, '127.0.0.2');
    await once(trap, 'listening');
    t.teardown(() => trap.close());
    let caught = 0;
    trap.on('connection', () => caught++);
    const trapped = `127.0.0.2:${(trap.address() as AddressInfo).port}`;
    const member = await wire(t, {
      replicaSet: { name: 'set', hosts: (port) => [`127.0.0.1:${port}`, trapped] },
    });
    const config = { ...hostOf(member.port), replica_set: 'set' };
    const one: ConnectContext = {
      ...none,
      outbound: { policy: 'block-metadata', allow: ['127.0.0.1'], ownPorts: [] },
    };
    t.match(await (await connectTo(t, config, one)).test(never), /with transactions/);
    await new Promise((done) => setTimeout(done, 300));
    t.equal(caught, 0, 'a member that may not be reached is left alone');
    const all = {
      ...none,
      outbound: { policy: 'block-metadata' as const, allow: ['127.0.0.0/8'], ownPorts: [] },
    };
    await (await connectTo(t, config, all)).test(never);
    await until(async () => caught > 0);
  },
);
