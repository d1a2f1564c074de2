import t from 'tap';
import { ConnectionCache } from '../../src/drivers/connection-cache.ts';
import { type Connection, ConnectorError, type Driver } from '../../src/drivers/driver.ts';
import { dummyDriver } from '../../src/drivers/dummy/driver.ts';

const context = { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 1_000 };

/** The dummy driver, counting what it opens and closes. */
function countedDriver() {
  const counts = { opened: 0, closed: 0 };
  const driver: Driver = {
    ...dummyDriver,
    connect: async (config, connectContext) => {
      const connection = await dummyDriver.connect(config, connectContext);
      counts.opened += 1;
      const counted: Connection = {
        test: (signal) => connection.test(signal),
        listResources: (signal) => connection.listResources(signal),
        describe: (resource, signal) => connection.describe(resource, signal),
        read: (request) => connection.read(request),
        page: (request) => connection.page(request),
        call: (method, args, signal) => connection.call(method, args, signal),
        openWriter: (request) => connection.openWriter(request),
        close: async () => {
          counts.closed += 1;
          await connection.close();
        },
      };
      return counted;
    },
  };
  return { counts, loadDriver: async (type: string) => (type === 'dummy' ? driver : undefined) };
}

const connector = (id: number, version = 1, config: unknown = { rows: [] }) => ({
  id,
  version,
  type: 'dummy',
  config,
});
const nothing = async () => null;
const turn = () => new Promise((resolve) => setImmediate(resolve));

t.test('one connection serves a connector until its version or configuration changes', async (t) => {
  const { counts, loadDriver } = countedDriver();
  const cache = new ConnectionCache({ loadDriver, context });
  const same = await Promise.all(
    [1, 2].map(() => cache.use(connector(1), async ({ connection }) => connection)),
  );
  t.equal(same[0], same[1]);
  await cache.use(connector(1, 2), nothing);
  await cache.use(connector(1, 2, { rows: [{ id: 1 }] }), nothing);
  t.same(counts, { opened: 3, closed: 0 });
  await cache.close();
  t.same(counts, { opened: 3, closed: 3 });
  t.equal(cache.size, 0);
});

t.test('the least recently used is closed first, and never while it is in use', async (t) => {
  const { counts, loadDriver } = countedDriver();
  const cache = new ConnectionCache({ loadDriver, context, connectionsMax: 2 });
  await cache.use(connector(1), async () => {
    await cache.use(connector(2), nothing);
    await cache.use(connector(3), nothing);
    await turn();
    t.same(counts, { opened: 3, closed: 1 });
    await cache.use(connector(1), nothing);
    t.equal(counts.opened, 3, 'the first is still open');
  });
  await cache.close();
  t.same(counts, { opened: 3, closed: 3 });
});

t.test('an idle connection is closed', async (t) => {
  const { counts, loadDriver } = countedDriver();
  const cache = new ConnectionCache({ loadDriver, context, idleMsMax: 20 });
  await cache.use(connector(1), nothing);
  await new Promise((resolve) => setTimeout(resolve, 80));
  t.same(counts, { opened: 1, closed: 1 });
  t.equal(cache.size, 0);
});

t.test('an unsaved connector is closed after its use', async (t) => {
  const { counts, loadDriver } = countedDriver();
  const cache = new ConnectionCache({ loadDriver, context });
  await cache.use(connector(0), nothing);
  await turn();
  t.same(counts, { opened: 1, closed: 1 });
});

t.test('what fails to open, or breaks in use, is not kept', async (t) => {
  const { counts, loadDriver } = countedDriver();
  const cache = new ConnectionCache({ loadDriver, context });
  await t.rejects(cache.use(connector(1, 1, { nonsense: true }), nothing), ConnectorError);
  t.equal(cache.size, 0);
  const gone = cache.use(connector(2), async () => {
    throw new ConnectorError('UNAVAILABLE', 'gone');
  });
  await t.rejects(gone, { name: 'ConnectorError', message: 'gone' });
  await turn();
  t.same(counts, { opened: 1, closed: 1 });
  const wrong = cache.use(connector(2), async () => {
    throw new ConnectorError('CONFIG', 'no such table');
  });
  await t.rejects(wrong, { message: 'no such table' });
  t.equal(cache.size, 1, "a caller's mistake leaves it open");
  await t.rejects(cache.use({ ...connector(3), type: 'abacus' }, nothing), {
    message: 'There is no connector type "abacus"',
  });
  await cache.close();
});

t.test('a connection that broke for one is closed when the last has given it back', async (t) => {
  const { counts, loadDriver } = countedDriver();
  const cache = new ConnectionCache({ loadDriver, context });
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const slow = cache.use(connector(1), () => isOver);
  const broken = cache.use(connector(1), async () => {
    throw new ConnectorError('UNAVAILABLE', 'gone');
  });
  await t.rejects(broken, ConnectorError);
  await turn();
  t.same(counts, { opened: 1, closed: 0 }, 'somebody still works with it');
  end();
  await slow;
  await turn();
  t.same(counts, { opened: 1, closed: 1 });
});
