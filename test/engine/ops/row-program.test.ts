import t from 'tap';
import type { Batch, Column, ColumnType, Row } from '../../../src/drivers/driver.ts';
import type { PlainOp } from '../../../src/engine/ops/compile-ops.ts';
import { createOpPart } from '../../../src/engine/ops/op-parts.ts';
import { readMapping } from '../../../src/engine/plan/read-mapping.ts';
import type { Expression } from '../../../src/language/expression/expression.ts';
import { parseExpression } from '../../../src/language/expression/parse-expression.ts';
import { plainCast } from '../../../src/language/task/cast/cast-rule.ts';
import { frozen } from '../../support/frozen.ts';

const noFinder = () => {
  throw new Error('no lookup');
};

function expr(source: string): Expression {
  const parsed = parseExpression(source);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.expression;
}

/** The same expression for the interpreter alone, so that both ways are tried. */
function interpreted(source: string): Expression {
  const compiled = expr(source);
  return { ...compiled, evaluateSync: null };
}

function columnsOf(types: Record<string, ColumnType>): Column[] {
  return Object.entries(types).map(([name, type]) => ({ name, type, nullable: true }));
}

interface Applied {
  readonly rows: readonly Row[];
  readonly types: Record<string, ColumnType>;
  readonly failed: Row[];
  readonly messages: string[];
  readonly warnings: string[];
  readonly skipped: number;
}

async function apply(
  ops: PlainOp[],
  batch: Batch,
  mapping: unknown = [],
  condition: Expression | null = null,
): Promise<Applied> {
  const failed: Row[] = [];
  const messages: string[] = [];
  const warnings: string[] = [];
  const program = createOpPart({
    ops,
    condition,
    scope: { args: { n: 10 } },
    signal: new AbortController().signal,
    stepId: 'shape',
    finderOf: noFinder,
    mappings: new Map([['fields', readMapping('fields', mapping, [])]]),
    warn: (message) => warnings.push(message),
  });
  const out = await program.apply(batch, (row, error) => {
    failed.push(row);
    messages.push(error instanceof Error ? error.message : '');
  });
  const types = Object.fromEntries(out.columns.map((column) => [column.name, column.type]));
  return { rows: out.rows, types, failed, messages, warnings, skipped: program.skipped };
}

const BATCH: Batch = {
  columns: columnsOf({ id: 'integer', name: 'string', price: 'decimal', tags: 'json' }),
  rows: [
    { id: 1, name: 'Ann', price: '1.50', tags: { a: { b: 1 } } },
    { id: 2, name: 'Bob', price: '2.00', tags: null },
    { id: 3, name: null, price: null, tags: { a: {} } },
  ],
};

const field = (name: string, source: string, make = expr) => ({ name, expr: make(source) });

t.test('each operation, compiled and interpreted', async (t) => {
  for (const make of [expr, interpreted]) {
    const filtered = await apply([{ op: 'filter', expr: make('item.id > 1') }], BATCH);
    t.strictSame(filtered.rows, BATCH.rows.slice(1));

    const mapped = await apply(
      [
        {
          op: 'map',
          fields: [
            field('key', 'item.id', make),
            field('half', 'item.id / 2', make),
            field('none', 'item.nothing', make),
          ],
        },
      ],
      BATCH,
    );
    t.strictSame(mapped.rows[0], { key: 1, half: 0.5, none: undefined });
    t.strictSame(mapped.types, { key: 'integer', half: 'number', none: 'unknown' });

    const set = await apply(
      [
        {
          op: 'set',
          fields: [
            field('id', 'item.id + args.n', make),
            field('old', 'item.id', make),
            field('at', 'index', make),
          ],
        },
      ],
      BATCH,
    );
    t.strictSame(
      set.rows[1],
      { id: 12, name: 'Bob', price: '2.00', tags: null, old: 2, at: 1 },
      'all see the row as it came',
    );
    t.strictSame(set.types, {
      id: 'integer',
      name: 'string',
      price: 'decimal',
      tags: 'json',
      old: 'integer',
      at: 'integer',
    });
  }
});

t.test('operations that need no expression', async (t) => {
  const renamed = await apply([{ op: 'rename', fields: { id: 'key', missing: 'x' } }], BATCH);
  t.strictSame(Object.keys(renamed.rows[0] ?? {}), ['key', 'name', 'price', 'tags']);
  t.strictSame(renamed.types, { key: 'integer', name: 'string', price: 'decimal', tags: 'json' });
  t.match(renamed.warnings, ['rename: there is no column "missing"']);
  await t.rejects(apply([{ op: 'rename', fields: { id: 'name' } }], BATCH), { code: 'VALIDATION_ERROR' });

  const swapped = await apply([{ op: 'rename', fields: { id: 'name', name: 'id' } }], BATCH);
  t.match(swapped.rows[0], { name: 1, id: 'Ann' });

  const dropped = await apply([{ op: 'drop', fields: ['tags', 'id', 'missing'] }], BATCH);
  t.strictSame(dropped.rows[0], { name: 'Ann', price: '1.50' });

  const cast = await apply(
    [
      {
        op: 'cast',
        fields: [
          { name: 'price', ...plainCast('number') },
          { name: 'id', ...plainCast('string') },
        ],
      },
    ],
    BATCH,
  );
  t.match(cast.rows, [
    { id: '1', price: 1.5 },
    { id: '2', price: 2 },
    { id: '3', price: null },
  ]);
  t.match(cast.types, { price: 'number', id: 'string' });
});

t.test(
  'a mapping copies, reaches into objects, transforms, keeps the types of plain copies, and makes no null of what is absent',
  async (t) => {
    const mapping = [
      { source_field: 'id', target_field: 'key', transform: null },
      { source_field: 'price', target_field: 'cost', transform: '' },
      { source_field: 'tags.a.b', target_field: 'tag', transform: null },
      { source_field: 'name', target_field: 'label', transform: "$uppercase(value) & '-' & item.id" },
      { source_field: 'nowhere', target_field: 'nothing', transform: null },
    ];
    const { rows, types, warnings } = await apply([{ op: 'mapping', configKey: 'fields' }], BATCH, mapping);
    t.strictSame(rows, [
      { key: 1, cost: '1.50', tag: 1, label: 'ANN-1', nothing: undefined },
      { key: 2, cost: '2.00', tag: undefined, label: 'BOB-2', nothing: undefined },
      { key: 3, cost: null, tag: undefined, label: '-3', nothing: undefined },
    ]);
    t.strictSame(types, {
      key: 'integer',
      cost: 'decimal',
      tag: 'integer',
      label: 'string',
      nothing: 'unknown',
    });
    t.strictSame(warnings, ['mapping: there is no column "nowhere"']);
  },
);

t.test('a row that fails is handed out as it came, and the source rows are never changed', async (t) => {
  for (const make of [expr, interpreted]) {
    const before = structuredClone(BATCH.rows);
    const { rows, failed, messages } = await apply(
      [
        { op: 'set', fields: [field('id', 'item.id * 2', make)] },
        { op: 'cast', fields: [{ name: 'price', ...plainCast('integer') }] },
        { op: 'set', fields: [field('name', "item.id = 6 ? $error('no') : item.name", make)] },
      ],
      BATCH,
    );
    t.strictSame(rows, [{ id: 4, name: 'Bob', price: 2, tags: null }]);
    t.strictSame(failed, [before[0], before[2]]);
    t.match(messages[0], 'Column "price": "1.50" is not an integer');
    t.strictSame(BATCH.rows, before);
  }
});

t.test('a condition leaves rows out and counts them', async (t) => {
  for (const make of [expr, interpreted]) {
    const { rows, skipped } = await apply([], BATCH, [], make('item.name'));
    t.equal(rows.length, 2);
    t.equal(skipped, 1);
  }
});

t.test('types widen over the batches, and stay the same object while they do not', async (t) => {
  const program = createOpPart({
    ops: [
      { op: 'set', fields: [field('x', 'item.v')] },
      { op: 'drop', fields: ['v'] },
    ],
    condition: null,
    scope: {},
    signal: new AbortController().signal,
    stepId: 'shape',
    finderOf: noFinder,
    mappings: new Map(),
    warn: () => undefined,
  });
  const columns = columnsOf({ v: 'unknown' }).map((column) => ({ ...column, name: 'w' }));
  const batch = async (...values: unknown[]) =>
    program.apply({ columns, rows: values.map((v) => ({ w: null, v })) }, () => undefined);
  const first = await batch(null, 1, 2);
  t.equal(first.columns.at(-1)?.type, 'integer');
  const second = await batch(3);
  t.equal(second.columns, first.columns);
  t.equal((await batch(4, 4.5)).columns.at(-1)?.type, 'number');
  t.equal((await batch(5)).columns.at(-1)?.type, 'number');
  t.equal((await batch('x')).columns.at(-1)?.type, 'string');
  t.equal((await batch({ a: 1 })).columns.at(-1)?.type, 'json');
});

t.test('names that JavaScript reserves are names like any other', async (t) => {
  const problems: { path: string; message: string }[] = [];
  readMapping('fields', [{ source_field: 'id', target_field: '__proto__' }], problems);
  t.equal(problems.length, 1);
  const { rows } = await apply(
    [{ op: 'map', fields: [field('constructor', 'item.id'), field('toString', 'item.name')] }],
    BATCH,
  );
  t.equal(JSON.stringify(rows[0]), '{"constructor":1,"toString":"Ann"}');
});

t.test('an operation leaves the rows that it reads as they came', async (t) => {
  const sources = [
    'item.tags{k: v}',
    'item.tags.{"k": $}',
    'item.tags[]',
    '$map(item.tags, function($v){$v{"k": v}})',
  ];
  for (const source of sources) {
    for (const make of [expr, interpreted]) {
      for (const tags of [[], [[]], [{ k: 'a', v: 1 }]]) {
        const ops: PlainOp[] = [{ op: 'set', fields: [field('by', source, make)] }];
        const batch = (rows: Row[]) => ({ columns: columnsOf({ tags: 'json' }), rows });
        const { rows } = await apply(ops, batch([{ tags: structuredClone(tags) }]));
        t.strictSame(rows[0]?.['tags'], tags, source);
        const { messages } = await apply(ops, batch(frozen([{ tags: structuredClone(tags) }])));
        t.strictSame(messages, [], source);
      }
    }
  }
});
