import type { Problem } from '../../base/errors.ts';
import { didYouMean } from '../../base/text/suggest-name.ts';
import { type Expression, ExpressionError, type Scope } from '../expression/expression.ts';
import { formatPath, type Path } from '../yaml/yaml-path.ts';
import type { FormField } from './form-field.ts';
import { fieldValueProblem } from './form-field.ts';

type Values = Readonly<Record<string, unknown>>;

interface Hidden {
  readonly hidden: readonly string[];
  /** Rules that cannot be evaluated. */
  readonly problems: Problem[];
}

/** Begins the problem of a rule that fails; what follows says how the rule is written, which strangers must not read. */
export const RULE_FAILED = 'The validation of this value failed to evaluate';

/** How long a chain of fields may be in which each hides the next. */
const HIDING_ROUNDS_MAX = 10;

/** Values of form fields after their check: `value` is what to store where there are no problems. */
export interface SettledFields {
  readonly problems: readonly Problem[];
  /** Without the fields that are hidden. */
  readonly value: Readonly<Record<string, unknown>>;
  /** Keys of the fields that their `hide_if_expr` hides for these values. */
  readonly hidden: readonly string[];
}

/**
 * Every problem of the values of some form fields: required ones that are empty, wrong types, formats and options, and keys that
 * no field has. A hidden field is not checked, and its value is dropped. `scopeOf` is what `hide_if_expr` reads of values, `path` is
 * where the values stand.
 */
export async function settleFields(
  fields: readonly FormField[],
  values: Values,
  scopeOf: (values: Values) => Scope,
  path: Path,
): Promise<SettledFields> {
  const { hidden, problems } = await hiddenFields(fields, values, scopeOf, path);
  const kept: Record<string, unknown> = {};
  for (const field of fields) {
    const at = [...path, field.key];
    if (hidden.includes(field.key)) continue;
    const given = Object.hasOwn(values, field.key) ? (values[field.key] ?? null) : null;
    const empty = given === null || given === '' || (Array.isArray(given) && given.length === 0);
    if (empty) {
      if (field.required) problems.push(problemAt(at, `"${field.label}" is required`));
      if (given !== null) kept[field.key] = given;
      if (given === null || (given === '' && field.type === 'text')) continue;
    }
    const wrong = fieldValueProblem(field, given);
    if (wrong !== null) problems.push(problemAt(at, `"${field.label}" ${wrong}`));
    kept[field.key] = given;
  }
  const known = fields.map((field) => field.key);
  for (const name of Object.keys(values)) {
    if (known.includes(name)) continue;
    problems.push(problemAt([...path, name], `There is no field "${name}"${didYouMean(name, known)}`));
  }
  return { problems, value: kept, hidden };
}

/**
 * The fields that are hidden where the values of hidden ones are gone: a rule must not hold for what is not kept, or what is saved would
 * break it when it is opened again. Rules that hide each other in turn are taken as they stand for all values.
 */
async function hiddenFields(
  fields: readonly FormField[],
  values: Values,
  scopeOf: (values: Values) => Scope,
  path: Path,
): Promise<Hidden> {
  const first = await hiddenFor(fields, scopeOf(values), path);
  let last = first;
  for (let round = 0; round < HIDING_ROUNDS_MAX; round++) {
    const shown = Object.entries(values).filter(([key]) => !last.hidden.includes(key));
    const next = await hiddenFor(fields, scopeOf(Object.fromEntries(shown)), path);
    if (next.hidden.join() === last.hidden.join()) return next;
    last = next;
  }
  return first;
}

async function hiddenFor(fields: readonly FormField[], scope: Scope, path: Path): Promise<Hidden> {
  const problems: Problem[] = [];
  const hidden: string[] = [];
  for (const { key, hideIf } of fields) {
    if ((await answerOf(hideIf, scope, [...path, key], problems)) === true) hidden.push(key);
  }
  return { hidden, problems };
}

/** What the rules of a form entry read: each field by its bare key, the form as `value`, and all entries with this one in its place. */
export function formScope(
  key: string,
  value: Readonly<Record<string, unknown>>,
  all: Readonly<Record<string, unknown>>,
): Scope {
  return { ...value, value, job_config: { ...all, [key]: value } };
}

/** The answer of a rule of a value; nothing, with a problem, where it cannot be evaluated. */
export async function answerOf(
  expression: Expression | null,
  scope: Scope,
  path: Path,
  problems: Problem[],
): Promise<unknown> {
  if (expression === null) return undefined;
  try {
    return await expression.evaluate(scope);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    problems.push(problemAt(path, `${RULE_FAILED}: ${error.message}`));
    return undefined;
  }
}

export function problemAt(path: Path, message: string): Problem {
  return { path: formatPath(path), message };
}
