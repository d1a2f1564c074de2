import type { Expression, ExpressionProblem } from './expression.ts';
import type { Inspection } from './inspect-expression.ts';
import { templateEndsMax } from './limits.ts';
import { type ParseExpression, parseExpression } from './parse-expression.ts';

/** Literal text, or an expression to be replaced by its value. */
export type TemplatePart = string | Expression;

export interface SplitTemplate {
  readonly parts: readonly TemplatePart[];
  /** Of each expression among the parts. */
  readonly inspections: readonly Inspection[];
  /** The first thing wrong; `position` counts from 0 into the whole text. */
  readonly problem: ExpressionProblem | null;
}

/** Cuts a text with `{{ expression }}`s into its parts. A `}}` that belongs to no expression is literal text. */
export function splitTemplate(text: string, parse: ParseExpression = parseExpression): SplitTemplate {
  const parts: TemplatePart[] = [];
  const inspections: Inspection[] = [];
  let position = 0;
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', position)) {
    if (open > position) parts.push(text.slice(position, open));
    const found = readExpression(text, open + 2, parse);
    if ('problem' in found) return { parts, inspections, problem: found.problem };
    parts.push(found.expression);
    inspections.push(found.inspection);
    position = found.end;
  }
  if (position < text.length) parts.push(text.slice(position));
  return { parts, inspections, problem: null };
}

type Found =
  | { readonly expression: Expression; readonly inspection: Inspection; readonly end: number }
  | { readonly problem: ExpressionProblem };

/**
 * The expression that begins at `start`. Its end is where strings and braces say it is. Those are misread only in a regular
 * expression that holds a quote or an odd brace; then the first `}}` before which the text parses is taken.
 */
function readExpression(text: string, start: number, parse: ParseExpression): Found {
  const likely = findEnd(text, start);
  const ends = [likely];
  for (let end = text.indexOf('}}', start); end !== -1 && ends.length < templateEndsMax; ) {
    if (end !== likely) ends.push(end);
    end = text.indexOf('}}', end + 1);
  }
  let problem: ExpressionProblem = { message: '"{{" without its "}}"', position: start - 2 };
  for (const end of ends) {
    if (end === -1) continue;
    const source = text.slice(start, end);
    const parsed = source.trim() === '' ? emptyExpression : parse(source);
    if (parsed.ok) return { expression: parsed.expression, inspection: parsed.inspection, end: end + 2 };
    if (end === likely || (likely === -1 && end === ends[1])) {
      problem = { message: parsed.problem.message, position: start + parsed.problem.position };
    }
  }
  return { problem };
}

const emptyExpression = Object.freeze({
  ok: false as const,
  problem: { message: 'there is no expression between "{{" and "}}"', position: 0 },
});

/** Position of the `}}` that is outside of strings, names in backquotes, comments and braces; -1 for nowhere. */
function findEnd(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i += 1) {
    switch (text[i]) {
      case '"':
      case "'":
      case '`':
        i = skipQuoted(text, i);
        break;
      case '/':
        if (text[i + 1] === '*') i = skipComment(text, i);
        break;
      case '{':
        depth += 1;
        break;
      case '}':
        if (depth === 0 && text[i + 1] === '}') return i;
        depth = Math.max(0, depth - 1);
        break;
      default:
    }
  }
  return -1;
}

function skipQuoted(text: string, start: number): number {
  const quote = text[start];
  for (let i = start + 1; i < text.length; i += 1) {
    if (text[i] === '\\' && quote !== '`') i += 1;
    else if (text[i] === quote) return i;
  }
  return text.length;
}

function skipComment(text: string, start: number): number {
  const end = text.indexOf('*/', start + 2);
  return end === -1 ? text.length : end + 1;
}
