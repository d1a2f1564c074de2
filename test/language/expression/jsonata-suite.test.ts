import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { ExpressionError, type Scope } from '../../../src/language/expression/expression.ts';
import { createInterpreter } from '../../../src/language/expression/interpret/interpreter.ts';
import { expressionLimits } from '../../../src/language/expression/limits.ts';
import { parseExpression } from '../../../src/language/expression/parse-expression.ts';
import { isFullList } from '../../support/fault-list.ts';
import { frozen } from '../../support/frozen.ts';

interface SuiteCase {
  readonly group: string;
  readonly name: string;
  readonly expr: string;
  readonly data?: unknown;
  readonly dataset?: string | null;
  readonly bindings?: Record<string, unknown>;
  readonly timelimit?: number;
  readonly result?: unknown;
  readonly undefinedResult?: boolean;
  readonly code?: string;
}

const suiteFile = new URL('../../fixtures/jsonata-suite/cases.json', import.meta.url);
const suite = JSON.parse(readFileSync(suiteFile, 'utf8')) as {
  datasets: Record<string, unknown>;
  cases: SuiteCase[];
};

/** jsonata's codes for what are limits here. `U1001` is its test runner's own. */
const limitCodes: Readonly<Record<string, string>> = {
  D1011: 'DEPTH',
  D1012: 'TIMEOUT',
  D2014: 'SEQUENCE',
  D2015: 'SEQUENCE',
  U1001: 'TIMEOUT',
};

/** Cases that our own rules refuse when they are parsed: they use `$eval`, or call a name without its `$`. */
function isRefusedHere({ expr, code }: SuiteCase): boolean {
  return expr.includes('$eval(') || ['T1005', 'T1006', 'T1007', 'T1008'].includes(code ?? '');
}

function inputOf(test: SuiteCase): unknown {
  if (test.dataset === undefined) return structuredClone(test.data);
  return test.dataset === null ? undefined : structuredClone(suite.datasets[test.dataset]);
}

/** An outcome as JSON text, so that a value and an error compare alike. */
async function outcome(evaluate: () => unknown): Promise<string> {
  try {
    return JSON.stringify({ value: await evaluate() });
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return JSON.stringify({ code: error.code });
  }
}

function expected(test: SuiteCase): string {
  if (test.code !== undefined) return JSON.stringify({ code: limitCodes[test.code] ?? test.code });
  return JSON.stringify({ value: test.result });
}

const CASE_MS_MAX = 60_000;
/** Of the long list: these few make millions of items, or use up a time limit, and take as long as six times all of the others. */
const LARGE: ReadonlySet<string> = new Set([
  'flattening large#0',
  'range-operator case021',
  'range-operator case024',
  'tail-recursion case006',
  'tail-recursion case007',
]);
const cases = suite.cases.filter(({ group, name }) => isFullList || !LARGE.has(`${group} ${name}`));

function expectsTimeout({ code }: SuiteCase): boolean {
  return code !== undefined && limitCodes[code] === 'TIMEOUT';
}

/** Cases that name neither a result nor a code: their error is one of a message, and any error will do. */
function anyError(test: SuiteCase): boolean {
  return test.code === undefined && test.undefinedResult !== true && !('result' in test);
}

t.test("jsonata's own suite gives its own answers, interpreted and compiled", async (t) => {
  let interpreted = 0;
  let compiled = 0;
  let refused = 0;
  for (const test of cases) {
    // Variables from outside do not exist here.
    if (Object.keys(test.bindings ?? {}).length > 0) continue;
    const limits = {
      ...expressionLimits,
      // A slow machine is no wrong answer: the case's own limit counts where reaching it is what it expects.
      timeoutMs: expectsTimeout(test) ? (test.timelimit ?? CASE_MS_MAX) : CASE_MS_MAX,
      sequenceMax: 1e7,
      sourceMax: 1e6,
    };
    const label = `${test.group} ${test.name}: ${test.expr.slice(0, 100)}`;
    const parsed = parseExpression(test.expr, limits);
    if (!parsed.ok) {
      refused += 1;
      if (!isRefusedHere(test) && !test.code?.startsWith('S'))
        t.fail(`${label} is refused: ${parsed.problem.message}`);
      continue;
    }
    const check = async (kind: string, evaluate: (input: unknown) => unknown): Promise<void> => {
      const input = inputOf(test);
      const found = sortKeys(await outcome(() => evaluate(input)));
      if (anyError(test) ? !found.includes('"code"') : found !== sortKeys(expected(test))) {
        t.fail(`${kind} ${label}`, { expected: expected(test), found });
      }
      // A scope is an object. jsonata gives an array as its whole input a meaning that never occurs here.
      if (Array.isArray(input)) return;
      if (!isDeepStrictEqual(input, inputOf(test))) t.fail(`${kind} ${label} changes its input`);
      if (expectsTimeout(test) || /\$(random|shuffle|millis|now)\(/.test(test.expr)) return;
      const overFrozen = sortKeys(await outcome(() => evaluate(frozen(input))));
      if (overFrozen !== found) t.fail(`${kind} ${label}, over a frozen input`, { found, overFrozen });
    };
    interpreted += 1;
    const interpreter = createInterpreter(test.expr, limits);
    await check('interpreted', interpreter.evaluate);
    const exact = createInterpreter(test.expr, limits);
    exact.limitDepth({ hasLiteral: true, names: new Set(['*']) });
    await check('interpreted for exact numbers', exact.evaluate);
    const { evaluateSync } = parsed.expression;
    if (evaluateSync === null || Array.isArray(inputOf(test))) continue;
    compiled += 1;
    await check('compiled', (input) => evaluateSync(input as Scope));
  }
  t.comment(
    `${cases.length} cases: ${interpreted} interpreted, ${compiled} of them compiled too, ${refused} refused`,
  );
  t.ok(interpreted > 1_000, 'nearly all cases ran');
  t.ok(compiled > 700, 'two thirds of the cases are compiled');
});

/** The same JSON with the keys of every object sorted. */
function sortKeys(json: string): string {
  return JSON.stringify(JSON.parse(json), (_key, value: unknown) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
