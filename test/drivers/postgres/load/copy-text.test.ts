import fc from 'fast-check';
import t, { type Test } from 'tap';
import type { Connection } from '../../../../src/drivers/driver.ts';
import {
  parseArrayLiteral,
  writeArrayLiteral,
} from '../../../../src/drivers/postgres/types/array-literal.ts';
import { column, engines, execute, rowsOf, writeAll } from '../../sql/engines.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }).filter((value) => !value.includes('\0')),
  fc
    .array(fc.constantFrom('\\', '\n', '\r', '\t', 'N', '.', '{', '}', '"', ',', ' ', 'é', '😀'), {
      maxLength: 8,
    })
    .map((all) => all.join('')),
);

async function openPostgres(t: Test): Promise<Connection> {
  const open = await engines.find((engine) => engine.name === 'postgres')?.prepare(t);
  if (open === undefined) throw new Error('There is no PostgreSQL');
  return open(t);
}

t.test('any text, number and document comes back as it went in', async (t) => {
  const c = await openPostgres(t);
  const document = fc
    .jsonValue({ maxDepth: 3 })
    .filter(
      (value) =>
        value !== null && !JSON.stringify(value).includes('\\u0000') && !JSON.stringify(value).includes('-0'),
    );
  const rows = fc.array(
    fc.record({ a: fc.option(text), n: fc.option(fc.double({ noNaN: true })), d: fc.option(document) }),
    { minLength: 1 },
  );
  const columns = [column('i', 'integer'), column('a', 'string'), column('n', 'number'), column('d', 'json')];
  await fc.assert(
    fc.asyncProperty(rows, async (values) => {
      const given = values.map((value, i) => ({ i, ...value }));
      await writeAll(c, { mode: 'replace' }, { columns, rows: given });
      const found = await rowsOf(c, 'SELECT * FROM people ORDER BY i');
      t.same(JSON.stringify(found.map((row) => row['a'])), JSON.stringify(given.map((row) => row.a)));
      t.strictSame(
        found.map((row) => row['n']),
        given.map((row) => row.n),
      );
      t.same(
        found.map((row) => row['d']),
        given.map((row) => row.d),
      );
    }),
    { numRuns: 30 },
  );
});

t.test('JSON that comes as text is loaded as the document that it is', async (t) => {
  const c = await openPostgres(t);
  await execute(c, 'CREATE TABLE people (i integer, d jsonb, e json)');
  const columns = [column('i', 'integer'), column('d', 'string'), column('e', 'string')];
  const rows = [
    { i: 1, d: '{"a": [1, "x\\ny"]}', e: '[true]' },
    { i: 2, d: '"text"', e: null },
  ];
  await writeAll(c, { mode: 'append' }, { columns, rows });
  t.same(await rowsOf(c, 'SELECT * FROM people ORDER BY i'), [
    { i: 1, d: { a: [1, 'x\ny'] }, e: [true] },
    { i: 2, d: 'text', e: null },
  ]);
});

t.test('an array is read back from its own text', async (t) => {
  const property = fc.property(fc.array(fc.option(fc.string({ unit: 'binary' }))), (values) => {
    t.strictSame(parseArrayLiteral(writeArrayLiteral(values, String), String), values);
  });
  fc.assert(property, { numRuns: 200 });
  t.strictSame(parseArrayLiteral('[2:3][0:0]={{1},{NULL}}', Number), [[1], [null]]);
  for (const broken of ['', '{', '{"a', 'x']) t.equal(parseArrayLiteral(broken, String), null, broken);
});
