import type { Problem } from '../../base/errors.ts';
import { type Expression, ExpressionError, type Scope } from '../expression/expression.ts';
import { didYouMean } from '../yaml/suggest-name.ts';
import { formatPath, type Path } from '../yaml/yaml-path.ts';
import { fieldValueProblem } from './field-value.ts';
import type { FormField } from './job-config.ts';

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
 * no field has. A hidden field is not checked, and its value is dropped. `scope` is what `hide_if_expr` reads, `path` is
 * where the values stand.
 */
export async function settleFields(
  fields: readonly FormField[],
  values: Readonly<Record<string, unknown>>,
  scope: Scope,
  path: Path,
): Promise<SettledFields> {
  const problems: Problem[] = [];
  const kept: Record<string, unknown> = {};
  const hidden: string[] = [];
  for (const field of fields) {
    const at = [...path, field.key];
    if ((await answerOf(field.hideIf, scope, at, problems)) === true) {
      hidden.push(field.key);
      continue;
    }
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
    problems.push(problemAt(path, `The rule of this value cannot be evaluated: ${error.message}`));
    return undefined;
  }
}

export function problemAt(path: Path, message: string): Problem {
  return { path: formatPath(path), message };
}
