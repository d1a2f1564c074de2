import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { runYaml } from '../support/task-run.ts';

/* Of the rows that come through steps, only the columns that a query reads are handed to the engine: no query may notice. */

const PEOPLE = 'id,name,amount,active,note\n1,ann,10,true,x\n2,bob,20,false,\n3,cid,30,true,z\n';
const CITIES = 'id,city,name\n1,Rome,ann\n3,Oslo,eve\n';

const QUERIES: readonly (readonly [query: string, rows: readonly object[]])[] = [
  ['SELECT sum(amount)::int AS n FROM people WHERE active', [{ n: 40 }]],
  ['SELECT count(*)::int AS n FROM people', [{ n: 3 }]],
  ['SELECT count(*)::int AS n, max(NOTE) AS top FROM people', [{ n: 3, top: 'z' }]],
  ['SELECT * FROM people WHERE id = 3', [{ id: 3, name: 'cid', amount: 30, active: true, note: 'z' }]],
  ['FROM people SELECT name WHERE "Amount" > 20', [{ name: 'cid' }]],
  ['SELECT p.* EXCLUDE (id, active, amount) FROM people p WHERE p.id = 1', [{ name: 'ann', note: 'x' }]],
  ["SELECT COLUMNS('^na') FROM people WHERE id = 2", [{ name: 'bob' }]],
  ["SELECT to_json(people)->>'note' AS note FROM people WHERE id = 1", [{ note: 'x' }]],
  ["SELECT to_json(p)->>'note' AS note FROM people p WHERE id = 1", [{ note: 'x' }]],
  ['SELECT city FROM people JOIN cities USING (id) ORDER BY city', [{ city: 'Oslo' }, { city: 'Rome' }]],
  ['SELECT city FROM people NATURAL JOIN cities', [{ city: 'Rome' }]],
  ['SELECT e FROM people AS p(a, b, c, d, e) WHERE a = 3', [{ e: 'z' }]],
  ['WITH q AS (SELECT id AS k, note FROM people) SELECT note FROM q WHERE k = 1', [{ note: 'x' }]],
  [
    'SELECT (SELECT max(name) FROM cities c WHERE c.id = p.id) AS n FROM people p WHERE id = 3',
    [{ n: 'eve' }],
  ],
  ['SELECT name, amount FROM people GROUP BY ALL HAVING amount = 20', [{ name: 'bob', amount: 20 }]],
  ['SELECT #2 AS second FROM people ORDER BY 1 LIMIT 1', [{ second: 'ann' }]],
  ['SELECT id FROM people UNION ALL SELECT id FROM cities ORDER BY id LIMIT 2', [{ id: 1 }, { id: 1 }]],
  ['SELECT list_sum(list_transform([amount], x -> x + id))::int AS n FROM people WHERE id = 2', [{ n: 22 }]],
];

const yamlOf = (query: string, object = 'out') => `
version: 1
name: people
connectors: { files: {type: csv}, target: {type: sqlite} }
steps:
  - { id: people, kind: extract, connector: files, method: read, args: {file: people.csv}, on_error: skip, batch: {size: 2} }
  - { id: cities, kind: extract, connector: files, method: read, args: {file: cities.csv}, on_error: skip }
  - { id: query, kind: sql, inputs: {people: people, cities: cities}, query: ${JSON.stringify(query)} }
  - { id: write, kind: load, input: query, connector: target, object: ${object}, mode: replace }
`;

const folder = t.testdir({ 'people.csv': PEOPLE, 'cities.csv': CITIES });
const connectors = {
  files: { type: 'csv', config: { path: '.' } },
  target: { type: 'sqlite', config: { path: 'out.db' } },
};

for (const [index, [query, rows]] of QUERIES.entries()) {
  t.test(query, async (t) => {
    const input = { run: { id: index + 1, attempt: 1 } };
    const { status, failure } = await runYaml({
      folder,
      yaml: yamlOf(query, `out_${index}`),
      connectors,
      input,
    });
    t.equal(status, 'success', failure?.message ?? '');
    const database = new DatabaseSync(join(folder, 'out.db'), { readOnly: true });
    const found = database.prepare(`SELECT * FROM out_${index}`).all();
    database.close();
    const told = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === true ? 1 : value])),
    );
    t.same(
      found.map((row) => ({ ...row })),
      told,
    );
  });
}

t.test('a name that is wrong is answered with the column that it is near to, read or not', async (t) => {
  const { failure } = await runYaml({ folder, yaml: yamlOf('SELECT nam FROM people'), connectors });
  t.match(failure?.message, /nam.*name/s);
});
