import type { Test } from 'tap';
import { ConnectorError, type Driver } from '../../../../src/drivers/driver.ts';
import { contextOf, execute, rowsOf } from '../../../drivers/sql/engines.ts';
import { allDrivers } from '../../../support/all-drivers.ts';
import { createKeeper, type Keeper, runYaml, type TaskRun } from '../../support/task-run.ts';
import type { PartEngine } from './part-engines.ts';

const yaml = (type: string, partition: string, load: string, more = '') => `
version: 1
name: copy
connectors: { db: {type: ${type}} }
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
export async function partsScene(t: Test, engine: PartEngine) {
  const { driver } = engine;
  const folder = t.testdir();
  const connector = { type: driver.type, config: await engine.create(t, folder) };
  const db = await driver.connect(connector.config, contextOf(folder));
  t.teardown(() => db.close());
  t.setTimeout(300_000);
  let runs = 500;
  const nextId = () => ++runs;

  function run(partition: string, load: string, options: Options = {}) {
    const { id = nextId(), keeper = createKeeper(), drivers = allDrivers, more, signal } = options;
    return runYaml({
      folder,
      yaml: yaml(driver.type, partition, load, more),
      connectors: { db: connector },
      keeper,
      drivers,
      input: { run: { id, attempt: 1 } },
      ...(signal && { signal }),
    });
  }

  const leftovers = async () => (await rowsOf(db, engine.stages)).length;

  const counted = async (table: string) =>
    (await rowsOf(db, `SELECT id, n, count(*) AS times FROM ${table} GROUP BY id, n`))
      .map(({ id, n, times }) => `${id} ${n}: ${times}`)
      .sort();

  /** The target holds what the source does: of each row as many. */
  async function isCopied(t: Test): Promise<void> {
    t.strictSame(await counted('dst'), await counted('src'), 'each row is in the target once');
    t.equal(await leftovers(), 0, 'no stage is left');
  }

  t.beforeEach(() =>
    execute(
      db,
      'DROP VIEW IF EXISTS seen',
      'DROP TABLE IF EXISTS src',
      'DROP TABLE IF EXISTS dst',
      `CREATE TABLE src (${engine.columns})`,
      `INSERT INTO src ${engine.rows(400)}`,
      "INSERT INTO src VALUES (NULL, -1, NULL, NULL, 'a', 1), (NULL, -2, NULL, NULL, NULL, 2)",
    ),
  );

  return { db, run, leftovers, isCopied, nextId, failing: failingOf(allDrivers.get(driver.type) as Driver) };
}

type Failing = (
  times: () => boolean | Promise<boolean>,
  fault: 'UNAVAILABLE' | 'TARGET',
) => TaskRun['drivers'];

/** The driver, whose reads of a part fail after a batch. */
function failingOf(own: Driver): Failing {
  return (times, fault) => {
    const driver: Driver = {
      ...own,
      async connect(config, context) {
        const connection = await own.connect(config, context);
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
    return { get: (type) => (type === own.type ? driver : allDrivers.get(type)) };
  };
}
