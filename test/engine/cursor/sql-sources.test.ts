import t from 'tap';
import type { Connection } from '../../../src/drivers/driver.ts';
import { execute, rowsOf } from '../../drivers/sql/engines.ts';
import { onEachDatabase } from '../support/sql-targets.ts';
import { createKeeper, runYaml } from '../support/task-run.ts';

/** Fields of a cursor, and rows of three runs: what comes later, and what comes late. */
const CASES = [
  { field: 'n', type: 'integer', values: [['1', '9007199254740993'], ['9007199254740994'], ['5']] },
  {
    field: 'at',
    type: 'datetime',
    values: [
      ["'2024-01-01 00:00:00'", "'2024-01-02 03:04:05'"],
      ["'2024-01-02 03:04:06'"],
      ["'2023-12-31 00:00:00'"],
    ],
  },
  {
    field: 'day',
    type: 'date',
    values: [["'2024-01-01'", "'2024-01-02'"], ["'2024-01-03'"], ["'2023-12-31'"]],
  },
] as const;
const DECLARED = {
  sqlite: { n: 'INTEGER', at: 'TIMESTAMP', day: 'DATE' },
  postgres: { n: 'bigint', at: 'timestamp', day: 'date' },
  mysql: { n: 'bigint', at: 'datetime', day: 'date' },
};

/** An append of a run that has gone well does nothing a second time. */
let runs = 300;

onEachDatabase(t, {}, async (t, { connector, connection: c }, folder) => {
  for (const { field, type, values } of CASES) {
    t.test(`a cursor of type ${type} reads of a table what is new`, async (t) => {
      const declared = DECLARED[connector.type as keyof typeof DECLARED][field];
      await execute(
        c,
        'DROP TABLE IF EXISTS src',
        'DROP TABLE IF EXISTS dst',
        `CREATE TABLE src (id integer, ${field} ${declared})`,
      );
      const yaml = `
version: 1
name: incremental
connectors: { db: {type: ${connector.type}} }
steps:
  - { id: read, kind: extract, connector: db, method: list, args: {table: src}, cursor: {field: ${field}, type: ${type}} }
  - { id: write, kind: load, input: read, connector: db, object: dst, mode: append }
`;
      const keeper = createKeeper();
      let id = 0;
      const read: number[] = [];
      for (const added of values) {
        for (const value of added) await execute(c, `INSERT INTO src VALUES (${++id}, ${value})`);
        const outcome = await runYaml({
          folder,
          yaml,
          connectors: { db: connector },
          keeper,
          input: { run: { id: ++runs, attempt: 1 } },
        });
        t.equal(outcome.status, 'success', outcome.failure?.message ?? '');
        read.push(outcome.rows_in);
      }
      t.strictSame(read, [2, 1, 0]);
      t.strictSame(await idsOf(c), [1, 2, 3], 'none is missing, and none twice');
    });
  }
});

async function idsOf(c: Connection): Promise<unknown[]> {
  return (await rowsOf(c, 'SELECT id FROM dst ORDER BY id')).map((row) => row['id']);
}
