/**
 * Expressions of the common kind, compiled: a mapping of five fields, a filter with a sum over 1,000 rows, a mapping of 1,000 rows at once.
 * Limit: jsonata's interpreter with the same expression and input.
 */
import jsonata from 'jsonata';
import { parseExpression } from '../src/language/expression/parse-expression.ts';
import { measure, secondsOf } from './support/figure.ts';

const rowCount = 1_000;
const rows = Array.from({ length: rowCount }, (_, id) => ({
  id,
  first: `Ada ${id}`,
  last: 'Lovelace',
  email: `Ada.${id}@Example.com`,
  price: 12.5,
  quantity: id % 7,
}));

interface Case {
  readonly name: string;
  readonly source: string;
  readonly scopes: readonly Record<string, unknown>[];
  /** Of the interpreter; compiled it is evaluated a hundred times as often. */
  readonly evaluations: number;
}

const mapping = (row: string) =>
  `{ "id": ${row}.id, "name": ${row}.first & ' ' & ${row}.last, "email": $lowercase(${row}.email), "total": ${row}.price * ${row}.quantity, "is_large": ${row}.quantity > 3 }`;
const cases: readonly Case[] = [
  {
    name: 'expression-mapping',
    source: mapping('item'),
    scopes: rows.map((item) => ({ item })),
    evaluations: 20_000,
  },
  {
    name: 'expression-filter-sum',
    source: '$sum(data[quantity > 3].(price * quantity))',
    scopes: [{ data: rows }],
    evaluations: 200,
  },
  {
    name: 'expression-map-1000',
    source: `data.${mapping('$')}`,
    scopes: [{ data: rows }],
    evaluations: 50,
  },
];

for (const { name, source, scopes, evaluations } of cases) {
  const parsed = parseExpression(source);
  const compiled = parsed.ok ? parsed.expression.evaluateSync : null;
  if (compiled === null) throw new Error(`"${name}" is not compiled`);
  const interpreted = jsonata(source);
  const scopeAt = (index: number) => scopes[index % scopes.length] ?? {};
  const given = JSON.stringify(compiled(scopeAt(1)));
  if (given !== JSON.stringify(await interpreted.evaluate(scopeAt(1)))) throw new Error(`"${name}" differs`);
  const product = async () => {
    const count = evaluations * 100;
    const seconds = await secondsOf(() => {
      for (let index = 0; index < count; index++) compiled(scopeAt(index));
    });
    return count / seconds;
  };
  const limit = async () => {
    const seconds = await secondsOf(async () => {
      for (let index = 0; index < evaluations; index++) await interpreted.evaluate(scopeAt(index));
    });
    return evaluations / seconds;
  };
  await product();
  await measure({ name, unit: 'evaluations/s', product, limit });
}
