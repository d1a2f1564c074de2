import { didYouMean } from '../../base/text/suggest-name.ts';
import type { Expression } from '../expression/expression.ts';
import { parseTemplate } from '../expression/parse-template-string.ts';
import type { Template } from '../expression/template-string.ts';
import type { DocumentCheck } from './document-check.ts';
import { checkExpression } from './expression-checks.ts';
import { type MapReader, typeName } from './map-reader.ts';
import { findPath, type Path } from './yaml-path.ts';

/** The top-level names an expression may read at its place; null where any may. */
export type ScopeNames = readonly string[] | null;

/** Placeholder for a required expression that is wrong or absent, so that reading can continue; such a document is never returned. */
export const NO_EXPRESSION: Expression = {
  source: 'null',
  names: new Set(),
  evaluateSync: () => null,
  evaluate: async () => null,
  forRows: () => NO_EXPRESSION,
};

/**
 * Compiles the bare expression at `path`. YAML reads `true` and `1` as values: they are expressions as well. Null, with a problem,
 * where it is none, or reads a name that its place does not have.
 */
export function readExpression(
  check: DocumentCheck,
  value: unknown,
  path: Path,
  names: ScopeNames,
): Expression | null {
  const source = typeof value === 'boolean' || typeof value === 'number' ? String(value) : value;
  if (typeof source !== 'string') {
    check.add(path, `An expression must be a text, not ${typeName(value)}`);
    return null;
  }
  if (/^\s*\{\{.*\}\}\s*$/s.test(source)) {
    check.add(path, `This key takes a bare expression: remove the "{{" and "}}"`);
    return null;
  }
  if (check.isPlaceholder(source)) return null;
  const parsed = check.parseExpression(source);
  if (!parsed.ok) {
    const at = source.length > 40 ? `, at character ${parsed.problem.position + 1}` : '';
    check.add(
      path,
      `Invalid expression "${excerpt(source, parsed.problem.position)}"${at}: ${parsed.problem.message}`,
    );
    return null;
  }
  checkNames(check, path, parsed.expression.names, names);
  checkExpression(check, path, parsed.inspection, names !== null);
  return parsed.expression;
}

export function readExpressionKey(
  reader: MapReader,
  key: string,
  names: ScopeNames,
  rules: { readonly required?: boolean } = {},
): Expression | null {
  if (reader.has(key)) return readExpression(reader.check, reader.value(key), reader.at(key), names);
  return rules.required ? reader.wrong(key, `"${key}" is required`) : null;
}

/** Compiles the strings with `{{ expression }}` in the value at `path`. */
export function readTemplate(check: DocumentCheck, value: unknown, path: Path, names: ScopeNames): Template {
  const { template, problems, expressions } = parseTemplate(value, '', check.parseExpression);
  const at = (place: string) => [...path, ...findPath(value, place)];
  for (const problem of problems) check.add(at(problem.path), problem.message);
  for (const found of expressions) checkExpression(check, at(found.path), found.inspection, names !== null);
  checkNames(check, path, template.names, names);
  return template;
}

function checkNames(check: DocumentCheck, path: Path, used: ReadonlySet<string>, names: ScopeNames): void {
  if (names === null) return;
  for (const name of used) {
    if (name === '*' || names.includes(name) || check.innerNames.includes(name)) continue;
    const allowed = [...new Set([...names, ...check.innerNames])];
    const hint = didYouMean(name, allowed);
    check.add(
      path,
      `There is no "${name}" to read here${hint === '' ? `; there are ${allowed.join(', ')}` : hint}`,
    );
  }
}

function excerpt(source: string, position: number): string {
  if (source.length <= 40) return source;
  const start = Math.max(0, Math.min(position - 20, source.length - 40));
  return `${start > 0 ? '…' : ''}${source.slice(start, start + 40)}${start + 40 < source.length ? '…' : ''}`;
}
