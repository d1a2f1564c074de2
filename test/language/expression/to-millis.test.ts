import t from 'tap';
import { parseExpression } from '../../../src/language/expression/parse-expression.ts';

const PASSES: readonly (readonly [string, string])[] = [
  [`$toMillis('2026-02-28')`, '2026-02-28'],
  [`$toMillis('2026-02-28T23:30:00-05:00')`, '2026-03-01T04:30'],
  [`$toMillis('31.01.2026', '[D01].[M01].[Y0001]')`, '2026-01-31'],
  [`$toMillis('1.2.2026', '[D].[M].[Y]')`, '2026-02-01'],
  [`$toMillis('01.02.2026', '[D].[M].[Y]')`, '2026-02-01'],
  [`$toMillis('3 March 2026', '[D] [MNn] [Y]')`, '2026-03-03'],
  [`$toMillis('12:05 am 3/4/2026', '[h]:[m01] [P] [M]/[D]/[Y]')`, '2026-03-04T00:05'],
  [`$toMillis('2026-03-04 23:30 -05:00', '[Y]-[M01]-[D01] [H01]:[m01] [Z]')`, '2026-03-05T04:30'],
  [`$toMillis('the 3rd of March 2026', 'the [D1o] of [MNn] [Y]')`, '2026-03-03'],
];
const FAILS = [
  `$toMillis('2026-02-31')`,
  `$toMillis('2026-02-29T10:00:00Z')`,
  `$toMillis('31.02.2026', '[D01].[M01].[Y0001]')`,
  `$toMillis('2026-13-01', '[Y]-[M]-[D]')`,
  `$toMillis('25:00 1.1.2026', '[H01]:[m01] [D].[M].[Y]')`,
  `$toMillis('31 June 2026', '[D] [MNn] [Y]')`,
];

for (const way of ['compiled', 'interpreted'] as const) {
  const evaluate = async (source: string) => {
    const parsed = parseExpression(source);
    if (!parsed.ok) throw new Error(parsed.problem.message);
    const { evaluateSync, evaluate } = parsed.expression;
    if (way === 'interpreted') return await evaluate({});
    if (evaluateSync === null) throw new Error('not compiled');
    return evaluateSync({});
  };
  t.test(`$toMillis takes what exists, and nothing else (${way})`, async (t) => {
    for (const [source, iso] of PASSES) {
      const millis = (await evaluate(source)) as number;
      t.match(new Date(millis).toISOString(), iso, source);
    }
    for (const source of FAILS)
      await t.rejects(evaluate(source), { code: 'DATE', message: /toMillis.*does not exist/ }, source);
    t.equal(await evaluate(`$toMillis(nothing)`), undefined);
  });
}
