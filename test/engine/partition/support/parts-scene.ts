import type { Test } from 'tap';
import { ConnectorError, type Driver } from '../../../../src/drivers/driver.ts';
import { postgresDriver } from '../../../../src/drivers/postgres/driver.ts';
import { contextOf, execute, rowsOf } from '../../../drivers/sql/engines.ts';
import { allDrivers } from '../../../support/all-drivers.ts';
import { createDatabase } from '../../../support/postgres.ts';
import { createKeeper, type Keeper, runYaml, type TaskRun } from '../../support/task-run.ts';

const yaml = (partition: string, load: string, more = '') => `
version: 1
name: copy
connectors: { db: {type: postgres} }
steps:
  - id: read
    kind: extract
    connector: db
    method: list
    args: { table: src }
    batch: { size: 50 }
    retry: { max_attempts: 2, delay: 1s }
    partition: ${partition}
  - { id: shape, kind: transform, input: read, ops: [{set: {twice: "item.n * 2"}}] }
  - { id: write, kind: load, input: shape, connector: db, object: dst, ${load} }
${more}
`;

interface Options {
  readonly id?: number;
  readonly keeper?: Keeper;
  readonly drivers?: TaskRun['drivers'];
  readonly more?: string;
  readonly signal?: AbortSignal;
}

/** A table `src`, made anew before each test, that runs copy to `dst`. `nextId` names the next run. */
export async function partsScene(t: Test) {
  const { url } = await createDatabase(t);
  const connector = { type: 'postgres', config: { url } };
  const folder = t.testdir();
  const db = await postgresDriver.connect(connector.config, contextOf(folder));
  t.teardown(() => db.close());
  t.setTimeout(300_000);
  let runs = 500;
  const nextId = () => ++runs;

  function run(partition: string, load: string, options: Options = {}) {
    const { id = nextId(), keeper = createKeeper(), drivers = allDrivers, more, signal } = options;
    return runYaml({
      folder,
      yaml: yaml(partition, load, more),
      connectors: { db: connector },
      keeper,
      drivers,
      input: { run: { id, attempt: 1 } },
      ...(signal && { signal }),
    });
  }

  const leftovers = async () =>
    (
      await rowsOf(
        db,
        `SELECT relname AS name FROM pg_class WHERE relname LIKE '\\_headgate\\_parts\\_%' AND relkind = 'r'`,
      )
    ).length;

  /** What the source holds, and the target: of each value of `n` how many rows. */
  async function isCopied(t: Test): Promise<void> {
    const difference = await rowsOf(
      db,
      `SELECT * FROM (SELECT coalesce(id, -1) AS id, n, count(*) FROM src GROUP BY 1, 2) a
       FULL JOIN (SELECT coalesce(id, -1) AS id, n, count(*) FROM dst GROUP BY 1, 2) b
       ON a.id = b.id AND a.n IS NOT DISTINCT FROM b.n AND a.count = b.count
       WHERE a.id IS NULL OR b.id IS NULL`,
    );
    t.strictSame(difference, [], 'each row is in the target once');
    t.equal(await leftovers(), 0, 'no stage is left');
  }

  t.beforeEach(() =>
    execute(
      db,
      'DROP VIEW IF EXISTS seen',
      'DROP TABLE IF EXISTS src, dst',
      'CREATE TABLE src (id bigint, n integer, at timestamptz, day date, kind text, price numeric(10,2))',
      `INSERT INTO src SELECT i * i, i, timestamptz '2024-01-01' + i * interval '1 hour', date '2024-01-01' + i,
         (ARRAY['a', 'b', 'c', NULL])[i % 4 + 1], i / 100.0 FROM generate_series(1, 400) AS i`,
      "INSERT INTO src VALUES (NULL, -1, NULL, NULL, 'a', 1), (NULL, -2, NULL, NULL, NULL, 2)",
    ),
  );

  return { db, run, leftovers, isCopied, nextId };
}

/** PostgreSQL whose reads of a part fail after its first batch. */
export function failing(
  times: () => boolean | Promise<boolean>,
  fault: 'UNAVAILABLE' | 'TARGET',
): TaskRun['drivers'] {
  const driver: Driver = {
    ...postgresDriver,
    async connect(config, context) {
      const connection = await postgresDriver.connect(config, context);
      const read = connection.read.bind(connection);
      connection.read = async function* (request) {
        const isPart = !('limit' in request);
        for await (const batch of read(request)) {
          yield batch;
          if (isPart && (await times())) throw new ConnectorError(fault, 'The source has gone');
        }
      };
      return connection;
    },
  };
  return { get: (type) => (type === 'postgres' ? driver : allDrivers.get(type)) };
}
