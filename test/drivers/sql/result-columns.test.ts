import t from 'tap';
import { engines, execute, never } from './engines.ts';

for (const { name, skip = false, prepare } of engines) {
  t.test(
    `${name}: a result says the precision of a decimal column that declares one`,
    { skip },
    async (t) => {
      const c = await (await prepare(t))(t);
      await execute(
        c,
        'CREATE TABLE prices (id int PRIMARY KEY, net decimal(9,2), units decimal(12,0))',
        "INSERT INTO prices VALUES (1, '1234567.50', '7')",
      );
      for await (const { columns } of c.read({ method: 'list', args: { table: 'prices' }, signal: never })) {
        t.match(columns[1]?.native_type, /^(numeric|decimal)\(9,2\)$/);
        t.match(columns[2]?.native_type, /^(numeric|decimal)\(12,0\)$/);
      }
    },
  );
}
