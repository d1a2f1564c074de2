/** A dashboard's 20 aggregates over a table of 1 M rows through the worker host; limit: the same queries in one thread. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { silentLogger } from '../src/base/logger.ts';
import { createWorkerPool } from '../src/threads/pool.ts';
import { BareInsert } from './support/bare-insert.ts';
import { measure, secondsOf } from './support/figure.ts';
import { memoryBelow } from './support/serve-process.ts';
import { workFolder } from './support/work-folder.ts';

const rows = 1_000_000;
const batches = 3;
const queries = Array.from(
  { length: 20 },
  (_, kind) => `SELECT sum(amount) AS value FROM sales WHERE kind = ${kind} AND day > ${kind}`,
);

const folder = workFolder();
const path = join(folder, 'sales.db');
const insert = new BareInsert(path, 'sales', ['id', 'kind', 'day', 'amount', 'note']);
for (let id = 0; id < rows; id++) insert.add(id, id % 20, id % 365, (id % 1_000) / 10, `note ${id % 100}`);
insert.commit();

const widgets = queries
  .map(
    (sql, index) =>
      `      - { id: w${index}, type: stat, connector: db, method: query, args: { sql: "${sql}" } }`,
  )
  .join('\n');
const yaml = `pages:\n  - id: a\n    title: A\n    widgets:\n${widgets}\n`;
const pool = createWorkerPool({
  logger: silentLogger,
  threads: 2,
  data: { fileRoots: [folder], forbiddenFiles: [], connectTimeoutMs: 2_000 },
});
await pool.ready();

async function batch(): Promise<void> {
  const answers = await Promise.all(
    queries.map((_sql, index) =>
      pool.run({
        kind: 'widget',
        input: {
          documentKey: '1:1',
          yaml,
          vars: {},
          connectors: { db: { id: 1, version: 1, type: 'sqlite', config: { path } } },
          context: { job: {}, job_config: {}, args: {} },
          widgetId: `w${index}`,
          publicView: false,
          shared: {},
          runs: [],
        },
      }),
    ),
  );
  for (const answer of answers) if ('error' in answer) throw new Error(answer.error);
}

const database = new DatabaseSync(path, { readOnly: true });
const statements = queries.map((sql) => database.prepare(sql));
const bare = () => {
  for (const statement of statements) statement.get();
};

async function perBatch(work: () => Promise<void> | void): Promise<number> {
  const seconds = await secondsOf(async () => {
    for (let times = 0; times < batches; times++) await work();
  });
  return (1_000 * seconds) / batches;
}

await batch();
bare();
await measure({
  name: 'widget-batch-aggregates',
  unit: 'ms',
  product: () => perBatch(batch),
  limit: () => perBatch(bare),
  rssMb: () => memoryBelow(pool.stats().hostPid ?? process.pid).reduce((sum, found) => sum + found.rssMb, 0),
});
database.close();
await pool.stop();
