import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import example from '../../../examples/driver/tsv-driver.ts';
import { runConformance } from '../../../src/drivers/custom/conformance/run-conformance.ts';
import type { DriverSample } from '../../../src/drivers/custom/interface.ts';
import { openDriverModule } from '../../../src/drivers/custom/load-driver-file.ts';
import type { Connection, Driver, ReadRequest, WriteRequest, Writer } from '../../../src/drivers/driver.ts';
import { runCli } from '../../support/run-cli.ts';
import { contextOf } from '../sql/engines.ts';

const EXAMPLE = join(import.meta.dirname, '../../../examples/driver/tsv-driver.ts');

/** Outside of the folder of tests, which keeps changing while others run. */
function freshFolder(t: Test): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'headgate-conformance-')));
  t.teardown(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function failuresOf(driver: Driver, sample: DriverSample, folder: string): Promise<string[]> {
  const results = await runConformance({ driver, sample, context: contextOf(folder) });
  return results.flatMap(({ name, status, message }) => (status === 'failed' ? [`${name}: ${message}`] : []));
}

t.test('the example passes the suite, on the command line too', async (t) => {
  const plain = await runCli(['driver', 'test', EXAMPLE]);
  t.equal(plain.code, 0, plain.stderr);
  t.match(plain.stdout, /^ok {6}cursor: a read continues where the last one ended$/m);
  t.match(plain.stdout, /^19 passed, 0 failed, 0 skipped$/m);
  const json = await runCli(['driver', 'test', EXAMPLE, '--json']);
  t.match(JSON.parse(json.stdout), { ok: true, type: 'tsv', failed: 0 });
});

type Broken = (connection: Connection) => Partial<Connection>;

/** A read that differs from that of the example. */
function reading(
  read: (connection: Connection, request: ReadRequest) => ReturnType<Connection['read']>,
): Broken {
  return (connection) => ({ read: (request) => read(connection, request) });
}

function writing(change: (writer: Writer, request: WriteRequest) => Partial<Writer>): Broken {
  return (connection) => ({
    openWriter: async (request) => {
      const writer = await connection.openWriter(request);
      return { ...writer, ...change(writer, request) };
    },
  });
}

const { signal } = new AbortController();

const BROKEN: Readonly<Record<string, readonly [broken: Broken, told: RegExp]>> = {
  'publishes a load that was cancelled': [
    writing((writer, request) => ({
      abort: () => (request.signal.aborted ? writer.commit(true).then(() => undefined) : writer.abort()),
    })),
    /^cancel: a load ends when its signal aborts.*: After a load was cancelled/,
  ],
  'ignores the limit': [
    reading((connection, { limit: _, ...request }) => connection.read(request)),
    /^read: batches of a given size .*A limit of 2 rows gives 3/,
  ],
  'ignores the size of batches': [
    reading((connection, request) => connection.read({ ...request, batchRows: 1_000 })),
    /A batch of 2 rows has 3/,
  ],
  'ignores its signal': [
    reading((connection, request) => connection.read({ ...request, signal })),
    /^cancel: a read ends when its signal aborts.*: A read whose signal has aborted before/,
  ],
  'accepts unknown arguments': [
    reading((connection, { args, ...request }) => {
      const { table = 'people' } = args as { readonly table?: string };
      return connection.read({ ...request, args: { table } });
    }),
    /read\(\) with an unknown argument is accepted/,
  ],
  'tells the state before the rows': [
    reading(async function* (connection, { state, ...request }) {
      state?.onState(3);
      yield* connection.read(request);
    }),
    /^cursor: .*A state is reported before its rows were returned/,
  ],
  'reads everything again': [
    reading((connection, { state, ...request }) =>
      connection.read({ ...request, state: state && { ...state, saved: null } }),
    ),
    /^cursor: .*all 3 rows come again/,
  ],
  'loses the columns': [
    reading(async function* (connection, request) {
      for await (const { rows, columns } of connection.read(request))
        yield { rows, columns: columns.slice(1) };
    }),
    /A row has "id", which is no column of its batch/,
  ],
  'throws what is no ConnectorError': [
    () => ({ describe: async () => Promise.reject(new RangeError('none')) }),
    /^introspection: .*: none$/,
  ],
  'has pages without end': [
    (connection) => ({
      page: async (request) => ({ ...(await connection.page(request)), next_cursor: null }),
    }),
    /^pages: .*The pages have 2 rows/,
  ],
  'shows rows before their commit': [
    writing((writer) => ({
      write: async (batch) => {
        await writer.write(batch);
        await writer.commit();
      },
      commit: async () => ({ rows: 3 }),
    })),
    /^load replace: .*Before its commit/,
  ],
  'counts wrongly': [
    writing((writer) => ({ commit: async () => ({ rows: (await writer.commit()).rows + 1 }) })),
    /commit\(\) counts 4 rows of 3/,
  ],
  'keeps what was aborted': [
    writing((writer) => ({ abort: async () => void (await writer.commit()) })),
    /After a load was aborted/,
  ],
  'leaves out a row that does not fit': [
    writing((writer) => ({ write: (batch) => writer.write(batch).catch(() => undefined) })),
    /^errors: .*The row that must be refused is accepted/,
  ],
  'says nothing of what is wrong': [
    () => ({ test: async () => 'fine' }),
    /^test: a wrong configuration .*is accepted/,
  ],
  'keeps its connection after a cancel': [
    (connection) => {
      let isTaken = false;
      return {
        async *read(request) {
          if (isTaken) throw new Error('all connections are in use');
          request.signal.addEventListener('abort', () => {
            isTaken = true;
          });
          yield* connection.read(request);
        },
      };
    },
    /^cancel: a read ends .*all connections are in use/,
  ],
  'forgets a promise': [
    (connection) => ({
      test: (signal) => {
        void Promise.reject(new Error('forgotten'));
        return connection.test(signal);
      },
    }),
    /^no error is left to the process.*2, the first of them: forgotten/,
  ],
};

t.test('each broken variant of the example fails at what is wrong with it', async (t) => {
  const { driver, module } = await openDriverModule('example', EXAMPLE);
  t.equal(module, example);
  for (const [name, [broken, told]] of Object.entries(BROKEN)) {
    const folder = freshFolder(t);
    const variant: Driver = {
      ...driver,
      connect: async (config, context) => {
        const connection = await driver.connect(config, context);
        return { ...connection, ...broken(connection) };
      },
    };
    const failures = await failuresOf(variant, await example.sample(folder), folder);
    t.ok(
      failures.some((failure) => told.test(failure)),
      `${name}: ${failures.join(' | ')}`,
    );
  }
});
