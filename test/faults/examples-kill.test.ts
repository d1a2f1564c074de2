// Long list: it kills processes, or cuts what they rely on; quick: test/examples/examples.test.ts, test/paths/dead-letter-replay.test.ts.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import t, { type Test } from 'tap';
import { postgresDriver } from '../../src/drivers/postgres/driver.ts';
import { contextOf, rowsOf as postgresRows } from '../drivers/sql/engines.ts';
import { rowsOf as sqliteRows } from '../engine/support/task-run.ts';
import { createMongoDatabase, withoutMongodb } from '../support/ferretdb.ts';
import { KILLS, type KillWorld, killWorld, victimOf } from '../support/kill-world.ts';
import { createBucket, withoutS3 } from '../support/object-storage.ts';
import { createDatabase } from '../support/postgres.ts';

/*
 * The pipelines of examples/ run on a server. In turn its executor with its runners and the whole server are killed (`kill -9`) at random
 * moments. In the end the target has each row of the source once, and each row that could not be loaded is one dead letter.
 */

const ROWS = 20_000;

const examples = join(import.meta.dirname, '../../examples');
const data = join(import.meta.dirname, '../../node_modules/vega-datasets/data');

/** A job's connectors over a target that is new, and what the target has when the job has run. */
interface Scene {
  readonly connectors: Readonly<Record<string, number>>;
  found(): Promise<unknown>;
}

interface Example {
  readonly title: string;
  readonly tasks: readonly string[];
  readonly template: string;
  /** What is found when nothing is lost and nothing is there twice. */
  readonly expected: unknown;
  readonly letters: number;
  readonly skip?: false | string;
  /** Writes the files that it reads into a folder. */
  sources(folder: string): Promise<void>;
  scene(of: {
    readonly t: Test;
    readonly connector: KillWorld['connector'];
    readonly sources: string;
    readonly folder: string;
  }): Promise<Scene>;
}

t.setTimeout(3_600_000);

let kept: Promise<KillWorld> | undefined;
/** One server for all examples, started with the first of them. */
const theWorld = () => {
  kept ??= killWorld(t);
  return kept;
};
let again = 0;

async function lettersOf({ served }: KillWorld, runIds: readonly number[]): Promise<number> {
  let letters = 0;
  for (const id of runIds) {
    const page = await served.api.get<{ result: unknown[] }>(
      `/api/runs/${id}/dead-letters?status=open&limit=200`,
    );
    letters += page.result.length;
  }
  return letters;
}

async function queryDatabase(url: string, sql: string): Promise<unknown[]> {
  const db = await postgresDriver.connect({ url }, contextOf(tmpdir()));
  try {
    return [...(await postgresRows(db, sql))];
  } finally {
    await db.close();
  }
}

function play({
  title,
  tasks,
  template,
  expected,
  letters,
  skip = false,
  sources: write,
  scene,
}: Example): void {
  t.test(`${title}: ${KILLS} kills, with nothing lost and nothing twice`, { skip }, async (t) => {
    const world = await theWorld();
    const { served, connector } = world;
    const sources = join(served.folder, title.replaceAll(' ', '-'));
    mkdirSync(sources);
    await write(sources);
    for (const file of tasks)
      await served.api.post('/api/tasks', { yaml_content: readFileSync(join(examples, file), 'utf8') });
    const yaml_content = template.endsWith('.yaml')
      ? readFileSync(join(examples, template), 'utf8')
      : template;
    const { id } = await served.api.post<{ id: number }>('/api/job-templates', {
      name: title.replaceAll(' ', '_'),
      yaml_content,
    });
    let longMs = 0;
    let ownAgain = 0;
    for (let at = 0; at <= KILLS; at += 1) {
      const folder = join(served.folder, `${title.replaceAll(' ', '-')}-${at}`);
      mkdirSync(folder);
      const { connectors, found } = await scene({ t, connector, sources, folder });
      const victim = victimOf(at);
      const ended = await world.run(await world.job(id, connectors), at === 0 ? null : { victim, longMs });
      if (at === 0) longMs = ended.tookMs;
      ownAgain += ended.again;
      const what = at === 0 ? 'undisturbed' : `kill ${at}, of the ${victim}`;
      t.same(await found(), expected, what);
      t.equal(await lettersOf(world, ended.runIds), letters, `dead letters, ${what}`);
    }
    t.comment(`${ownAgain} attempts again, ${Math.round(longMs)} ms undisturbed`);
    again += ownAgain;
  });
}

/** Rows of CSV after their header. */
const csvOf = (header: string, rows: number, line: (id: number) => string) =>
  `${header}\n${Array.from({ length: rows }, (_, id) => `${line(id)}\n`).join('')}`;

const PAID = ROWS / 2;
play({
  title: 'csv to postgres',
  tasks: ['csv-to-postgres/load-orders.task.yaml'],
  template: 'csv-to-postgres/orders.template.yaml',
  expected: [{ rows: PAID, ids: PAID, sum: (PAID - 1) * PAID }],
  letters: 0,
  async sources(folder) {
    const header = 'order_id,ordered_on,customer,country,product,quantity,unit_price,status';
    const line = (id: number) =>
      `${id},2026-01-05,Aster Books,DE,"Ink, blue",${id % 7},7.90,${id % 2 === 0 ? 'paid' : 'cancelled'}`;
    writeFileSync(join(folder, 'orders.csv'), csvOf(header, ROWS, line));
  },
  async scene({ t, connector, sources }) {
    const { url } = await createDatabase(t);
    return {
      connectors: {
        file: await connector('csv', { path: join(sources, 'orders.csv') }),
        warehouse: await connector('postgres', { url }),
      },
      found: () =>
        queryDatabase(
          url,
          'SELECT count(*)::int AS rows, count(DISTINCT order_id)::int AS ids, sum(order_id)::int AS sum FROM public.orders',
        ),
    };
  },
});

const STORES = ['berlin', 'lyon', 'porto'];
const SALES = ROWS / 4;
play({
  title: 'stores',
  tasks: ['stores/load-store-sales.task.yaml', 'stores/sync-stores.task.yaml'],
  template: `
version: 1
name: stores
connectors: { files: { type: csv }, warehouse: { type: sqlite } }
tasks: { sync: { task: sync_stores } }
`,
  expected: STORES.map((store) => ({ store, rows: SALES, ids: SALES })),
  letters: STORES.length,
  async sources(folder) {
    const header = 'sale_id,sold_on,product,quantity,unit_price';
    for (const store of STORES) {
      const line = (id: number) =>
        `${store}-${id},2026-01-05,"Ink, blue",${id === SALES ? 'many' : id % 7},7.90`;
      writeFileSync(join(folder, `${store}.csv`), csvOf(header, SALES + 1, line));
    }
  },
  async scene({ connector, sources, folder }) {
    const path = join(folder, 'warehouse.db');
    return {
      connectors: {
        files: await connector('csv', { path: sources }),
        warehouse: await connector('sqlite', { path, create: true }),
      },
      found: async () =>
        sqliteRows(
          path,
          'SELECT store, count(*) AS rows, count(DISTINCT sale_id) AS ids FROM sales GROUP BY store ORDER BY store',
        ),
    };
  },
});

const AIRPORTS = readFileSync(join(data, 'airports.csv'), 'utf8').trimEnd().split('\n').length - 1;
play({
  title: 'flights',
  tasks: ['load-airports', 'load-flights', 'daily-summary'].map((name) => `flights/${name}.task.yaml`),
  template: 'flights/flights.template.yaml',
  expected: [{ flights: ROWS, airports: AIRPORTS, codes: AIRPORTS, days: ROWS, routes: ROWS, hours: ROWS }],
  letters: 0,
  async sources(folder) {
    copyFileSync(join(data, 'airports.csv'), join(folder, 'airports.csv'));
    const instance = await DuckDBInstance.create();
    const connection = await instance.connect();
    await connection.run(
      `COPY (SELECT * FROM read_parquet('${join(data, 'flights-3m.parquet')}') LIMIT ${ROWS}) TO '${join(folder, 'flights.parquet')}' (FORMAT parquet)`,
    );
    connection.closeSync();
    instance.closeSync();
  },
  async scene({ connector, sources, folder }) {
    const path = join(folder, 'warehouse.db');
    return {
      connectors: {
        airports_csv: await connector('csv', { path: join(sources, 'airports.csv') }),
        flights_parquet: await connector('parquet', { path: join(sources, 'flights.parquet') }),
        warehouse: await connector('sqlite', { path, create: true }),
      },
      found: async () =>
        sqliteRows(
          path,
          `SELECT (SELECT count(*) FROM flights) AS flights, (SELECT count(*) FROM airports) AS airports,
             (SELECT count(DISTINCT code) FROM airports) AS codes, (SELECT sum(flights) FROM daily_summary) AS days,
             (SELECT sum(flights) FROM route_summary) AS routes, (SELECT sum(flights) FROM hour_summary) AS hours`,
        ),
    };
  },
});

const DELAYS = { rows: ROWS / 4, ids: ROWS / 4 };
play({
  title: 'four stores',
  tasks: ['postgres', 'mongodb', 'parquet', 'sqlite'].map((name) => `four-stores/into-${name}.task.yaml`),
  template: 'four-stores/four-stores.template.yaml',
  expected: { postgres: DELAYS, mongodb: DELAYS, sqlite: DELAYS },
  letters: 0,
  skip: withoutMongodb() || withoutS3(),
  async sources(folder) {
    const all = JSON.parse(readFileSync(join(data, 'flights-200k.json'), 'utf8')) as unknown[];
    writeFileSync(join(folder, 'flights.json'), JSON.stringify(all.slice(0, DELAYS.rows)));
  },
  async scene({ t, connector, sources, folder }) {
    const { url } = await createDatabase(t);
    const mongo = await createMongoDatabase(t);
    const path = join(folder, 'warehouse.db');
    return {
      connectors: {
        file: await connector('json', { path: join(sources, 'flights.json') }),
        shop: await connector('postgres', { url }),
        documents: await connector('mongodb', { url: mongo.url }),
        lake: await connector('parquet', (await createBucket()).config('')),
        warehouse: await connector('sqlite', { path, create: true }),
      },
      async found() {
        const counts = 'SELECT count(*) AS rows, count(DISTINCT flight) AS ids FROM flights';
        const [postgres] = await queryDatabase(
          url,
          'SELECT count(*)::int AS rows, count(DISTINCT flight)::int AS ids FROM flights',
        );
        const documents = mongo.db.collection('flights');
        const ids = await documents.distinct('flight');
        return {
          postgres,
          mongodb: { rows: await documents.countDocuments(), ids: ids.length },
          sqlite: sqliteRows(path, counts)[0],
        };
      },
    };
  },
});

t.test('some of them were killed before they had ended', async (t) => {
  t.comment(`${again} attempts again`);
  t.ok(again > 0, `${again} attempts again`);
});
