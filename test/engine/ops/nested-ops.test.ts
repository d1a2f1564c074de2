import fc from 'fast-check';
import t from 'tap';
import type { Row } from '../../../src/drivers/driver.ts';
import { createOpPart } from '../../../src/engine/ops/op-parts.ts';
import { RowError } from '../../../src/engine/ops/row-error.ts';
import { parseTask } from '../../../src/language/task/parse-task.ts';
import { isSetOp } from '../../../src/language/task/steps/ops/transform-ops.ts';
import { fewOrMany } from '../../support/fault-list.ts';

const noFinder = () => {
  throw new Error('no lookup');
};

const RUNS = fewOrMany(100, 2_500);

/** The operations, as a document has them; JSON is YAML. */
function parsed(ops: readonly unknown[]) {
  const steps = [
    { id: 'read', kind: 'extract', connector: 'source', method: 'read' },
    { id: 'shape', kind: 'transform', input: 'read', ops },
  ];
  return parseTask(JSON.stringify({ version: 1, name: 'x', connectors: { source: { type: 'csv' } }, steps }));
}

function opsOf(ops: readonly unknown[]) {
  const task = parsed(ops);
  if (!task.ok) throw new Error(task.problems[0]?.message);
  const step = task.task.steps[1];
  if (step?.kind !== 'transform') throw new Error('no transform');
  return step.ops.filter((op) => !isSetOp(op));
}

interface Failed {
  readonly place: number | undefined;
  readonly row: Row;
  readonly code: string;
  readonly column: string | null;
  readonly message: string;
}

/** What operations make of batches of rows; each row knows its place among all. */
async function apply(ops: readonly unknown[], ...batches: readonly (readonly Row[])[]) {
  const failed: Failed[] = [];
  const warnings: string[] = [];
  const part = createOpPart({
    ops: opsOf(ops),
    condition: null,
    scope: {},
    signal: new AbortController().signal,
    stepId: 'shape',
    finderOf: noFinder,
    mappings: new Map(),
    warn: (message) => warnings.push(message),
  });
  const rows: Row[] = [];
  const origins: (number | undefined)[] = [];
  let types: Readonly<Record<string, string>> = {};
  let first = 0;
  for (const batch of batches) {
    const names = [...new Set(batch.flatMap((row) => Object.keys(row)))];
    const columns = names.map((name) => ({ name, type: 'unknown', nullable: true }) as const);
    const given = batch.map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null])));
    const from = first;
    const originOf = (index: number) => ({ record: from + index });
    const out = await part.apply({ columns, rows: given, originOf }, (row, error, index) => {
      if (!(error instanceof RowError)) throw error;
      const { code, column, message } = error;
      failed.push({ place: originOf(index).record, row, code, column, message });
    });
    out.rows.forEach((_, index) => {
      origins.push(out.originOf?.(index).record);
    });
    rows.push(...out.rows);
    types = Object.fromEntries(out.columns.map(({ name, type }) => [name, type]));
    first += batch.length;
  }
  return { rows, types, failed, warnings, origins, filtered: part.filtered };
}

t.test('flatten makes columns of the entries of maps, in the place of the field', async (t) => {
  const rows = [
    { id: 1, address: { city: 'Bonn', geo: { lat: 50.7, tags: ['x'] } }, last: true },
    { id: 2, address: null, last: false },
    { id: 3, address: { city: 'Ulm', zip: '89073' }, last: true },
  ];
  const made = await apply([{ flatten: { fields: ['address'] } }], rows);
  t.strictSame(made.rows[0], {
    id: 1,
    address_city: 'Bonn',
    address_geo_lat: 50.7,
    address_geo_tags: ['x'],
    address_zip: undefined,
    last: true,
  });
  t.strictSame(Object.keys(made.rows[1] ?? {}), Object.keys(made.rows[0] ?? {}));
  t.match(made.types, { address_city: 'string', address_geo_lat: 'number', address_geo_tags: 'json' });
  const shallow = await apply([{ flatten: { fields: ['address'], depth: 1, separator: '.' } }], rows);
  t.strictSame(shallow.rows[0]?.['address.geo'], { lat: 50.7, tags: ['x'] });
});

t.test('a column that has come once stays, and a later one is added', async (t) => {
  const made = await apply(
    [{ flatten: { fields: ['a'] } }, { set: { both: '$string(item.a_x) & $string(item.a_y)' } }],
    [{ a: { x: 1 } }],
    [{ a: { y: 2 } }],
  );
  t.strictSame(made.rows, [
    { a_x: 1, both: '1' },
    { a_x: undefined, a_y: 2, both: '2' },
  ]);
});

t.test('what cannot be flattened or unnested fails its row, and says what to do', async (t) => {
  const flat = await apply(
    [{ flatten: { fields: ['a', 'b'] } }],
    [{ a: '{"x": 1}' }, { a: [1] }, { a: { x_y: 1, x: { y: 2 } } }, { a: { z: 1 }, a_z: 2 }],
  );
  t.strictSame(flat.rows, []);
  t.match(
    flat.failed.map(({ message }) => message),
    [
      /is not a map; text that holds JSON/,
      /"\[1\]" is not a map/,
      /two entries would be named "a_x_y"/,
      /already/,
    ],
  );
  t.strictSame(flat.warnings, ['flatten: there is no column "b"']);
  const nested = await apply([{ unnest: { field: 'l' } }], [{ l: '[1]' }, { l: { a: 1 } }]);
  t.match(nested.failed, [
    { code: 'UNNEST_ERROR', column: 'l', message: /is not a list; text that holds JSON/ },
    { code: 'UNNEST_ERROR', column: 'l', message: /is not a list$/ },
  ]);
});

t.test('unnest makes a row of each item', async (t) => {
  const rows = [
    { id: 1, lines: [{ sku: 'a' }, { sku: 'b' }], note: 'x' },
    { id: 2, lines: [], note: 'y' },
    { id: 3, lines: null, note: 'z' },
  ];
  const plain = await apply([{ unnest: { field: 'lines', as: 'line', position: 'no' } }], rows);
  t.strictSame(plain.rows, [
    { id: 1, line: { sku: 'a' }, no: 1, note: 'x' },
    { id: 1, line: { sku: 'b' }, no: 2, note: 'x' },
  ]);
  t.strictSame([plain.filtered, plain.origins], [2, [0, 0]]);
  const kept = await apply(
    [{ unnest: { field: 'lines', keep_empty: true } }, { flatten: { fields: ['lines'] } }],
    rows,
  );
  t.strictSame(
    kept.rows.map((row) => row['lines_sku']),
    ['a', 'b', null, null],
  );
  t.strictSame(kept.origins, [0, 0, 1, 2]);
});

t.test('a row fails as a whole, as it came, where one of the rows made of it fails', async (t) => {
  const rows = [
    { id: 1, list: [{ n: '1' }, { n: 'x' }, { n: '-5' }] },
    { id: 2, list: [{ n: '2' }, { n: '-2' }] },
  ];
  const ops = [
    { unnest: { field: 'list' } },
    { filter: 'item.list.n != "-5"' },
    { flatten: { fields: ['list'] } },
    { cast: { list_n: 'integer' } },
    { filter: 'item.list_n > 0' },
  ];
  const made = await apply(ops, rows);
  t.strictSame(made.rows, [{ id: 2, list_n: 2 }]);
  t.match(made.failed, [{ place: 0, code: 'CAST_ERROR', column: 'list_n', row: rows[0] }]);
  t.equal(made.failed.length, 1);
  t.equal(made.filtered, 1);
});

t.test('validate tells every column that does not fit, with its path', async (t) => {
  const schema = {
    type: 'object',
    required: ['email'],
    properties: {
      email: { type: 'string', format: 'email' },
      amount: { type: ['number', 'null'], minimum: 0 },
      tags: { type: 'array', items: { enum: ['a', 'b'] } },
    },
  };
  const made = await apply(
    [{ validate: { schema } }],
    [
      { email: 'a@example.com', amount: null, tags: ['a'] },
      { email: 'nobody', amount: 1, tags: [] },
      { email: 'b@example.com', amount: -1, tags: ['c'] },
    ],
  );
  t.equal(made.rows.length, 1);
  t.match(made.failed, [
    { code: 'SCHEMA_ERROR', column: 'email', message: '/email must match format "email"' },
    {
      column: null,
      message: '/amount must be >= 0; /tags/0 must be equal to one of the allowed values: "a", "b"',
    },
  ]);
});

t.test('a schema that is none is refused where it is wrong', async (t) => {
  const problemOf = (schema: unknown) => {
    const task = parsed([{ validate: { schema } }]);
    return task.ok ? null : { path: task.problems[0]?.path, message: task.problems[0]?.message };
  };
  const path = 'steps[1].ops[0].validate.schema';
  t.match(problemOf({ properties: { a: { type: 'text' } } }), {
    path: `${path}.properties.a.type`,
    message: /is not a valid JSON Schema:.*must be equal to one of the allowed values/,
  });
  for (const [schema, message] of [
    [{ minimun: 3 }, /unknown keyword: "minimun"/],
    [{ properties: { a: { type: 'string', format: 'mail' } } }, /unknown format "mail"/],
    [{ pattern: '(' }, /Invalid regular expression/],
    [{ $ref: 'https://example.com/x.json' }, /can't resolve reference/],
    [{ $async: true }, /"\$async" is not allowed/],
    [{ $schema: 'http://json-schema.org/draft-04/schema#' }, /draft-04/],
    ['x', /must be a map/],
  ] as const)
    t.match(problemOf(schema)?.message, message, JSON.stringify(schema));
  t.equal(
    problemOf({ $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] }),
    null,
  );
  t.equal(problemOf({ type: 'object', properties: { source: {}, names: {} } }), null);
});

const item = fc.constantFrom('1', '2', '-1', 'x', null);
const list = fc.oneof(fc.array(item, { maxLength: 4 }), fc.constantFrom(null, 'text'));

t.test('in random rows, each is passed on in all its items, failed, or filtered', async (t) => {
  const ops = [
    { unnest: { field: 'list', as: 'n' } },
    { cast: { n: 'integer' } },
    { filter: 'item.n ? item.n > 0 : false' },
    { set: { map: '{"n": item.n}' } },
    { flatten: { fields: ['map'] } },
    { validate: { schema: { properties: { map_n: { maximum: 1 } } } } },
  ];
  const property = fc.asyncProperty(fc.array(list, { maxLength: 12 }), fc.nat(12), async (lists, cut) => {
    const rows = lists.map((one, id) => ({ id, list: one }));
    const made = await apply(ops, rows.slice(0, cut), rows.slice(cut));
    const expected: Row[] = [];
    const failed: number[] = [];
    let filtered = 0;
    for (const { id, list: items } of rows) {
      if (typeof items === 'string' || items?.some((value) => value === 'x' || value === '2'))
        failed.push(id);
      else if ((items ?? []).length === 0) filtered++;
      for (const value of failed.includes(id) ? [] : ((items as readonly string[] | null) ?? [])) {
        if (value === '1') expected.push({ id, n: 1, map_n: 1 });
        else filtered++;
      }
    }
    const same = (a: unknown, b: unknown, what: string) => {
      if (JSON.stringify(a) !== JSON.stringify(b))
        throw new Error(`${what}: ${JSON.stringify(a)}, not ${JSON.stringify(b)}`);
    };
    same(made.rows, expected, 'rows');
    same(
      made.origins,
      expected.map(({ id }) => id),
      'origins',
    );
    same(made.failed.map(({ place }) => place).toSorted(), failed.toSorted(), 'failed');
    same(made.filtered, filtered, 'filtered');
  });
  await fc.assert(property, { numRuns: RUNS });
  t.pass(`${RUNS} times`);
});
