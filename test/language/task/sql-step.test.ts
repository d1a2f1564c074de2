import t from 'tap';
import { loadConnectorTypes } from '../../../src/drivers/registry.ts';
import { parseTask } from '../../../src/language/task/parse-task.ts';

const connectorTypes = await loadConnectorTypes();
const HEAD = `name: x
connectors: {db: {type: sqlite}}
steps:
  - { id: orders, kind: extract, connector: db, method: list, args: {table: orders} }
  - { id: rates, kind: extract, connector: db, method: list, args: {table: rates} }
`;

function problems(step: string): string[] {
  const parsed = parseTask(`${HEAD}  - { id: q, kind: sql, ${step} }\n`, { connectorTypes });
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path} ${message}`);
}

t.test('a query is read with its tables and parameters, and needs the steps of its tables', (t) => {
  const parsed = parseTask(
    `${HEAD}  - id: q
    kind: sql
    inputs: { o: orders, r: {step: rates, columns: {rate: decimal}} }
    params: { since: "{{ run.id }}", n: 3 }
    query: "select *, '$no', $$ $no $$ -- $no ; ?\\nfrom o join r using (id) where id > $since + $n;"
`,
    { connectorTypes },
  );
  const step = parsed.ok ? parsed.task.steps.at(-1) : null;
  t.match(step, {
    kind: 'sql',
    needs: ['orders', 'rates'],
    sources: ['orders', 'rates'],
    inputs: [
      { name: 'o', step: 'orders', columns: {} },
      { name: 'r', step: 'rates', columns: { rate: 'decimal' } },
    ],
  });
  t.end();
});

t.test('what cannot run is refused where it stands', (t) => {
  const cases: readonly [string, RegExp][] = [
    [
      'inputs: {o: order}, query: select 1',
      /^steps\[2\]\.inputs\.o There is no step "order" before this one; did you mean "orders"\?$/,
    ],
    ['inputs: {o: {stepp: orders}}, query: select 1', /Unknown key "stepp"; did you mean "step"\?/],
    [
      'inputs: {o: {step: orders, columns: {a: int}}}, query: select 1',
      /columns\.a "a" must be one of string, integer/,
    ],
    ['inputs: {o: orders, O: rates}, query: select 1', /"o" and "O" are the same table in SQL/],
    ['inputs: {o: q}, query: select 1', /A step cannot read its own rows; name an earlier step as "inputs"/],
    ['inputs: {}, query: select 1', /"inputs" is required/],
    ['query: select 1', /"inputs" is required/],
    ['inputs: {o: orders}', /"query" is required/],
    [
      'inputs: {o: orders}, query: delete from o',
      /A query must be a single SELECT and cannot start with "delete" \(line 1 of the query\)/,
    ],
    ['inputs: {o: orders}, query: "select 1;\\n drop table o"', /second statement on line 2/],
    ['inputs: {o: orders}, query: "select \'{{ args.x }}\'"', /cannot contain \{\{ expression \}\}/],
    [
      'inputs: {o: orders}, query: "select\\n$sinc", params: {since: 1}',
      /There is no "\$sinc" in "params" \(line 2 of the query\); did you mean "since"\?/,
    ],
    ['inputs: {o: orders}, query: select 1, params: {since: 1}', /params\.since "since" has no effect/],
    ['inputs: {o: orders}, query: select ?', /Parameters have names/],
    ['inputs: {o: orders}, query: select $1', /Parameters have names/],
    [
      'inputs: {o: orders}, query: select 1, on_error: skip',
      /"on_error" has no effect: a query fails as a whole/,
    ],
    [
      'inputs: {o: orders}, query: select 1, input: rates',
      /"input" has no effect: the step is of kind "sql"/,
    ],
  ];
  for (const [step, message] of cases)
    t.ok(
      problems(step).some((problem) => message.test(problem)),
      `${step}: ${problems(step).join(' | ')}`,
    );
  t.end();
});

t.test('of the extracts that meet in a query one may have a cursor', (t) => {
  const cursor = 'cursor: {field: id, type: integer, initial: 0}';
  const extract = (id: string, more = cursor) =>
    `  - { id: ${id}, kind: extract, connector: db, method: list, args: {table: t}, ${more} }\n`;
  const query = '  - { id: q, kind: sql, inputs: {a: a, b: b}, query: select 1 }\n';
  const load = '  - { id: w, kind: load, input: q, connector: db, object: o, mode: merge, key: [id] }\n';
  const head = 'name: x\nconnectors: {db: {type: sqlite}}\nsteps:\n';
  const parse = (yaml: string) => parseTask(head + yaml, { connectorTypes });
  t.equal(parse(extract('a') + extract('b', 'timeout: 5s') + query + load).ok, true);
  const both = parse(extract('a') + extract('b') + query + load);
  t.match(both.ok ? [] : both.problems, [
    { path: 'steps[1].cursor', message: /"a" already has a cursor and the query reads both/ },
  ]);
  t.end();
});
