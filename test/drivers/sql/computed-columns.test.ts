import t from 'tap';
import { batchOf, engines, execute, load, rowsOf } from './engines.ts';

const WARNING =
  'The values of "twice" are not loaded: it is a generated column of "people", which the database computes';

for (const engine of engines) {
  t.test(
    `${engine.name}: values for a generated column are told to be left out, once, in every mode`,
    { skip: engine.skip ?? false },
    async (t) => {
      const connection = await (await engine.prepare(t))(t);
      await execute(
        connection,
        'CREATE TABLE people (id int PRIMARY KEY, n int, twice int GENERATED ALWAYS AS (n * 2) STORED)',
      );
      const modes = ['append', 'merge', 'upsert', 'insert_only', 'truncate_insert', 'replace'] as const;
      for (const [id, mode] of modes.entries()) {
        const told: string[] = [];
        const key = ['merge', 'upsert', 'insert_only'].includes(mode) ? ['id'] : [];
        const log = (level: string, message: string) => told.push(`${level}: ${message}`);
        const writer = await connection.openWriter(load({ mode, key, log }));
        await writer.write(batchOf([{ id, n: 3, twice: 99 }]));
        await writer.write(batchOf([{ id: id + 100, n: 4, twice: 99 }]));
        await writer.commit();
        t.strictSame(told, [`warn: ${WARNING}`], mode);
        const found = await rowsOf(connection, `SELECT twice FROM people WHERE id IN (${id}, ${id + 100})`);
        t.strictSame(
          found.map(({ twice }) => Number(twice)).sort((a, b) => a - b),
          [6, 8],
          mode,
        );
      }
    },
  );
}
