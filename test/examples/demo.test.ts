// Long list: it runs the whole demo; quick: test/examples/examples.test.ts, test/commands/demo-sign-in-link.test.ts.
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import t from 'tap';
import { ofFullList } from '../support/fault-list.ts';
import { withoutMongodb } from '../support/ferretdb.ts';
import { freePort } from '../support/free-port.ts';
import { withoutS3 } from '../support/object-storage.ts';

/** Rows of the files that the test's demo moves: a tenth of those that the package has, since CI ends with the demo itself. */
const FLIGHTS = 300_000;
const FLIGHTS_OF_STORES = 20_000;
/** The demo takes a quarter of a minute; on a machine that does much else it is given far more. */
const DEMO_MS_MAX = 240_000;
const STOP_MS_MAX = 10_000;
const main = join(import.meta.dirname, '../../src/main.ts');
const datasets = join(import.meta.dirname, '../../node_modules/vega-datasets/data');

t.setTimeout(2 * DEMO_MS_MAX);

interface Demo {
  readonly child: ChildProcess;
  /** All that it said so far. */
  readonly said: () => string;
  readonly exited: Promise<number | null>;
  saw(text: string): Promise<void>;
}

function startDemo(
  cwd: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Demo {
  const child = spawn(process.execPath, [main, 'demo', ...args], {
    cwd,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said += String(chunk);
      for (const look of waiting) look();
    });
  }
  const exited = new Promise<number | null>((done) => child.once('close', done));
  const saw = (text: string) =>
    new Promise<void>((done, fail) => {
      const look = () => {
        if (said.includes(text)) done();
      };
      waiting.add(look);
      look();
      exited.then(() => fail(new Error(`The demo has ended:\n${said}`)));
    });
  return { child, said: () => said, exited, saw };
}

/** The demo's data in the user's folder, with fewer rows. */
async function fewerFlights(folder: string): Promise<void> {
  const place = join(folder, 'node_modules/vega-datasets');
  mkdirSync(join(place, 'data'), { recursive: true });
  writeFileSync(join(place, 'package.json'), '{"name":"vega-datasets"}');
  copyFileSync(join(datasets, 'airports.csv'), join(place, 'data/airports.csv'));
  copyFileSync(
    join(datasets, `flights-${FLIGHTS_OF_STORES / 1_000}k.json`),
    join(place, 'data/flights-200k.json'),
  );
  const duckdb = await (await DuckDBInstance.create()).connect();
  await duckdb.run(
    `COPY (SELECT * FROM '${datasets}/flights-3m.parquet' LIMIT ${FLIGHTS}) TO '${place}/data/flights-3m.parquet'`,
  );
  duckdb.closeSync();
}

t.test(
  'the demo moves every row, checks it, and can be served again',
  { timeout: DEMO_MS_MAX, ...ofFullList },
  async (t) => {
    const folder = t.testdir();
    await fewerFlights(folder);
    const without = withoutMongodb() || withoutS3();
    const all = without ? [] : ['all'];
    const first = startDemo(folder, [...all, '--exit', '--port', String(await freePort())]);
    t.equal(await first.exited, 0, first.said());
    const said = first.said();
    t.match(said, /300,000 flights: complete/);
    t.match(said, /300,000 flights in daily_summary: complete/);
    t.match(said, /3,376 airports: complete/);
    t.match(said, /flights +write +300,000 +300,000 +0 /, 'each step has its line');
    await t.test('the same rows are in four stores', { skip: without }, async (t) => {
      for (const store of ['PostgreSQL', 'MongoDB', 'the Parquet file', 'SQLite'])
        t.match(said, `20,000 flights in ${store}: complete`);
      t.match(said, /parquet +write +20,000 +20,000 +0 /);
    });
    t.notMatch(said, /\bat .*:\d+:\d+|Error|undefined|NaN/, 'nothing that frightens');

    const port = await freePort();
    const second = startDemo(folder, ['--keep', '--port', String(port)]);
    await second.saw('Serving until Ctrl-C');
    const path = /\/share\/(\S+)/.exec(second.said())?.[1];
    const page = await fetch(`http://127.0.0.1:${port}/share/${path}`);
    t.equal(page.status, 200);
    t.match(await page.text(), /<script/);
    const url = `http://127.0.0.1:${port}/api/public/dashboards/${path}/widgets/data`;
    const answer = await fetch(url, { method: 'POST' });
    const { widgets } = (await answer.json()) as {
      widgets: Record<string, { data?: unknown; error?: string }>;
    };
    t.ok(Object.keys(widgets).length >= 10);
    for (const [id, widget] of Object.entries(widgets)) t.equal(widget.error, undefined, id);
    t.match(widgets['flights']?.data, { run: { status: 'success', items: { out: FLIGHTS } } });

    const stoppedAt = Date.now();
    second.child.kill('SIGINT');
    t.equal(await second.exited, 0);
    t.ok(Date.now() - stoppedAt < STOP_MS_MAX, 'it stops in time');
    await t.rejects(fetch(`http://127.0.0.1:${port}/api/health`), 'its server has stopped with it');
  },
);

t.test('Ctrl-C in the middle of a load ends everything', async (t) => {
  const port = await freePort();
  const demo = startDemo(t.testdir(), ['--port', String(port)]);
  await demo.saw('flights     started');
  const stoppedAt = Date.now();
  demo.child.kill('SIGINT');
  t.equal(await demo.exited, 130);
  t.ok(Date.now() - stoppedAt < STOP_MS_MAX + 1_000, 'it stops in time');
  t.notMatch(demo.said(), /cannot go on|\bat .*:\d+:\d+/);
  await t.rejects(fetch(`http://127.0.0.1:${port}/api/health`), 'its server has stopped with it');
});

t.test('a port that is taken is named', async (t) => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.teardown(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const demo = startDemo(t.testdir(), ['--exit', '--port', String(port)]);
  t.equal(await demo.exited, 1);
  t.match(demo.said(), `The port ${port} cannot be used`);
});

t.test('files that no demo made are left alone', async (t) => {
  const folder = t.testdir();
  mkdirSync(join(folder, 'data/demo'), { recursive: true });
  writeFileSync(join(folder, 'data/demo/thesis.txt'), 'mine');
  const demo = startDemo(folder, ['--exit']);
  t.equal(await demo.exited, 1);
  t.match(demo.said(), 'contains files not created by the demo');
});

t.test('what the four stores need is named before anything is started', async (t) => {
  const none = { MONGODB_URL: '', FERRETDB_PATH: '' };
  for (const [args, variables, said] of [
    [['all', '--exit'], none, 'set MONGODB_URL to a server, or FERRETDB_PATH'],
    [['all', '--keep'], none, '"all" starts with empty stores: remove --keep'],
    [['al'], {}, 'al'],
  ] as const) {
    const folder = t.testdir();
    const demo = startDemo(folder, args, variables);
    t.not(await demo.exited, 0);
    t.match(demo.said(), said);
    t.notOk(existsSync(join(folder, 'data')));
  }
});
