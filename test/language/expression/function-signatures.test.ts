import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import jsonata from 'jsonata';
import t from 'tap';
import {
  arityOf,
  FUNCTION_SIGNATURES,
  mayFit,
} from '../../../src/language/expression/function-signatures.ts';
import { parseExpression } from '../../../src/language/expression/parse-expression.ts';

/** Bound anew for each evaluation. */
const OF_EVALUATION = ['now', 'millis'];

t.test('the functions are those that expressions have, with their signatures', async (t) => {
  const source = readFileSync(createRequire(import.meta.url).resolve('jsonata'), 'utf8');
  const bound = [...source.matchAll(/staticFrame\.bind\('(\w+)'/g)].map(([, name = '']) => name);
  const names = [...bound.filter((name) => name !== 'eval'), ...OF_EVALUATION].sort();
  t.same([...FUNCTION_SIGNATURES.keys()], names);
  for (const name of names) {
    const found = (await jsonata(`$${name}`).evaluate({})) as { signature: { definition: string } };
    t.same(FUNCTION_SIGNATURES.get(name), found.signature.definition, name);
  }
});

interface SuiteCase {
  readonly expr: string;
  readonly data?: unknown;
  readonly dataset?: string | null;
  readonly code?: string;
  readonly undefinedResult?: boolean;
  readonly result?: unknown;
}

/** jsonata's errors for arguments of another type, or a context of another type. */
const MISFITS = ['T0410', 'T0411'];

t.test('no call that succeeds in the suite of jsonata is taken for one that cannot', async (t) => {
  const file = new URL('../../fixtures/jsonata-suite/cases.json', import.meta.url);
  const { datasets, cases } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly datasets: Record<string, unknown>;
    readonly cases: readonly SuiteCase[];
  };
  let passed = 0;
  let refused = 0;
  for (const { expr, data, dataset, code, result, undefinedResult } of cases) {
    const input = dataset === undefined ? data : datasets[dataset ?? ''];
    const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
    const succeeds = code === undefined && (result !== undefined || undefinedResult === true);
    if (!isObject || !(succeeds || MISFITS.includes(code ?? ''))) continue;
    const parsed = parseExpression(expr);
    if (!parsed.ok) continue;
    const isMisfit = parsed.inspection.calls.some(({ name, partial, argumentCount, types }) => {
      const signature = FUNCTION_SIGNATURES.get(name);
      if (signature === undefined || partial) return false;
      const [min, max] = arityOf(signature);
      return argumentCount >= min && argumentCount <= max && !mayFit(signature, types());
    });
    if (succeeds && isMisfit) t.fail(expr);
    if (succeeds) passed++;
    else if (isMisfit) refused++;
  }
  t.ok(passed > 500, `${passed} cases succeed`);
  t.ok(refused > 3, `${refused} of those that fail are found`);
});
