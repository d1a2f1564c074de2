import { readDecimal } from '../../../../base/values/number-text.ts';
import { compareTimeTexts } from '../../../../base/values/time-order.ts';
import type { Expression } from '../../../expression/expression.ts';
import type { FieldComparison } from '../../../expression/find-comparison.ts';
import type { DocumentCheck } from '../../../yaml/document-check.ts';
import type { Path } from '../../../yaml/yaml-path.ts';
import type { CastType } from '../../cast/cast-type.ts';
import type { Fields } from './op-value.ts';

type Types = ReadonlyMap<string, CastType>;

/** Operations of which something is known: after any other, nothing is. */
type TypedOp =
  | { readonly op: 'filter'; readonly expr: Expression }
  | { readonly op: 'set' | 'map'; readonly fields: Fields }
  | { readonly op: 'cast'; readonly fields: readonly { readonly name: string; readonly type: CastType }[] }
  | { readonly op: 'rename'; readonly fields: Readonly<Record<string, string>> }
  | { readonly op: 'drop' | 'validate' | 'dedupe' };

const NUMBERS: ReadonlySet<CastType | undefined> = new Set(['integer', 'number', 'decimal']);
const TIMES: ReadonlySet<CastType | undefined> = new Set(['date', 'time', 'timestamp']);

/** Reports comparisons that can never hold: of a field that a cast has given a type, with a literal of another kind. */
export function checkTypes(check: DocumentCheck, ops: readonly { readonly op: string }[], path: Path): void {
  let types: Types = new Map();
  for (const [index, op] of (ops as readonly TypedOp[]).entries()) {
    const at = [...path, index, op.op];
    if (op.op === 'filter') checkSource(check, op.expr.source, types, at);
    if (op.op === 'set' || op.op === 'map')
      for (const { name, expr } of op.fields) checkSource(check, expr.source, types, [...at, name]);
    types = typesAfter(op, types);
  }
}

/** What is known of the fields of the rows that an operation gives. */
function typesAfter(op: TypedOp, types: Types): Types {
  const known = new Map(types);
  switch (op.op) {
    case 'cast':
      for (const { name, type } of op.fields) known.set(name, type);
      return known;
    case 'set':
      for (const { name } of op.fields) known.delete(name);
      return known;
    case 'rename':
      for (const name of Object.values(op.fields)) known.delete(name);
      for (const [from, to] of Object.entries(op.fields)) {
        const type = types.get(from);
        known.delete(from);
        if (type !== undefined) known.set(to, type);
      }
      return known;
    case 'filter':
    case 'drop':
    case 'validate':
    case 'dedupe':
      return known;
    default:
      return new Map();
  }
}

function checkSource(check: DocumentCheck, source: string, types: Types, path: Path): void {
  if (types.size === 0) return;
  const parsed = check.parseExpression(source);
  if (!parsed.ok) return;
  for (const comparison of parsed.inspection.comparisons) {
    const type = types.get(comparison.field);
    const problem = type === undefined ? null : problemOf(comparison, type);
    if (problem !== null) check.add(path, problem);
  }
}

function problemOf({ field, operator, literal }: FieldComparison, type: CastType): string | null {
  const isOrder = operator !== '=' && operator !== '!=';
  const shown = JSON.stringify(literal);
  if (typeof literal === 'number') {
    if (type !== 'string' && !TIMES.has(type)) return null;
    return `"${field}" is a ${type} after its cast, and never compares with the number ${shown}; write a text`;
  }
  if (NUMBERS.has(type) && (isOrder || readDecimal(literal.trim()) !== null))
    return `"${field}" is ${type === 'integer' ? 'an' : 'a'} ${type} after its cast, and never compares with the text ${shown}; write a number without quotes`;
  const kind = type === 'time' ? 'clock' : 'moment';
  if (isOrder && TIMES.has(type) && compareTimeTexts(literal, literal, kind) === null)
    return `"${field}" is a ${type} after its cast, and ${shown} is none`;
  return null;
}
