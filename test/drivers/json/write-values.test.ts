import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Column, ColumnType, Row } from '../../../src/drivers/driver.ts';
import { jsonDriver } from '../../../src/drivers/json/driver.ts';
import { column, contextOf, fault, load } from '../sql/engines.ts';

let loads = 0;

/** The text of a file with these rows. */
async function written(
  t: Test,
  columns: readonly Column[],
  rows: Row[],
  { object = 'a.ndjson', config = {} }: { object?: string; config?: object } = {},
): Promise<string> {
  const root = realpathSync(t.testdir({}));
  const connection = await jsonDriver.connect({ path: '.', ...config }, contextOf(root));
  const writer = await connection.openWriter(load({ mode: 'replace', object, loadId: `l${++loads}` }));
  try {
    await writer.write({ columns, rows });
    await writer.commit();
  } finally {
    await writer.abort();
    await connection.close();
  }
  return readFileSync(join(root, object), 'utf8');
}

const VALUES: readonly (readonly [ColumnType, unknown, string])[] = [
  ['string', 'x', '{"v":"x"}'],
  ['string', null, '{"v":null}'],
  ['string', undefined, '{}'],
  ['string', 'half \ud800', '{"v":"half \\ud800"}'],
  ['number', 1.5, '{"v":1.5}'],
  ['number', -0, '{"v":-0}'],
  ['number', 5e-324, '{"v":5e-324}'],
  ['integer', '9007199254740993', '{"v":"9007199254740993"}'],
  ['integer', 9007199254740993n, '{"v":"9007199254740993"}'],
  ['integer', 5n, '{"v":5}'],
  ['decimal', '1.50', '{"v":"1.50"}'],
  ['decimal', 'NaN', '{"v":"NaN"}'],
  ['binary', new Uint8Array([0, 255]), '{"v":"AP8="}'],
  ['timestamp', '2026-01-31T12:00:00.123456789+02:00', '{"v":"2026-01-31T12:00:00.123456789+02:00"}'],
  ['json', JSON.parse('{"__proto__":{"a":null}}'), '{"v":{"__proto__":{"a":null}}}'],
  ['json', 'NaN', '{"v":"NaN"}'],
];

t.test('every value is what JSON says of it', async (t) => {
  for (const [type, value, wanted] of VALUES)
    t.equal(await written(t, [column('v', type)], [{ v: value }]), `${wanted}\n`, `${type} ${wanted}`);
});

t.test('NaN and the infinities are refused, or become what the connector says', async (t) => {
  for (const [type, value] of [
    ['number', Number.NaN],
    ['number', 'Infinity'],
    ['number', Number.NEGATIVE_INFINITY],
    ['json', [1, { a: Number.NaN }]],
  ] as const) {
    const columns = [column('id', 'integer'), column('v', type)];
    const rows = [
      { id: 1, v: 1 },
      { id: 2, v: value },
    ];
    await t.rejects(
      written(t, columns, rows),
      Object.assign(fault('DATA', /JSON has no such number/), { column: 'v' }),
    );
    const nulls = await written(t, columns, rows, { config: { non_finite: 'as_null' } });
    t.match(nulls, /null/);
    const texts = await written(t, columns, rows, { config: { non_finite: 'as_text' } });
    t.match(texts, /"(?:NaN|-?Infinity)"/);
  }
});

t.test('a record has no key for what it lacks, in lines and in lists, whatever the name', async (t) => {
  const names = ['a', 'A', 'constructor', '__proto__', '1'];
  const columns = names.map((name) => column(name, 'integer'));
  const full = Object.fromEntries(names.map((name, n) => [name, n]));
  const rows: Row[] = [full, { a: null }, {}, { A: undefined, a: 1 }];
  const lines = (await written(t, columns, rows)).trim().split('\n');
  t.strictSame(lines.slice(1), ['{"a":null}', '{}', '{"a":1}']);
  t.strictSame(JSON.parse(lines[0] ?? ''), JSON.parse('{"1":4,"a":0,"A":1,"constructor":2,"__proto__":3}'));
  const list = await written(t, columns, rows, { object: 'a.json' });
  t.equal(list, `[\n${lines.join(',\n')}\n]\n`);
});
