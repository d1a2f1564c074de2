import type { Problem } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { Expression, Scope } from './expression.ts';
import type { Inspection } from './inspect-expression.ts';
import { templateDepthMax } from './limits.ts';
import { type ParseExpression, parseExpression } from './parse-expression.ts';
import { setOwn, toPlainResult } from './plain-result.ts';
import { splitTemplate, type TemplatePart } from './split-template.ts';
import type { Template } from './template-string.ts';

export interface ParsedTemplate {
  readonly template: Template;
  /** Everything that is wrong, each with the path of the string that holds it. The template is of use only where there is none. */
  readonly problems: Problem[];
  /** Every expression, with the path of the string that holds it. */
  readonly expressions: readonly PlacedExpression[];
}

interface PlacedExpression {
  readonly path: string;
  readonly inspection: Inspection;
}

/** A compiled part of a document. Constants are copied on every rendering, so that no two callers share one. */
type Rendered =
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'expression'; readonly expression: Expression }
  | { readonly kind: 'text'; readonly parts: readonly TemplatePart[] }
  | { readonly kind: 'list'; readonly items: readonly Rendered[] }
  | { readonly kind: 'record'; readonly entries: readonly (readonly [key: string, value: Rendered])[] };

interface Parsing {
  readonly problems: Problem[];
  readonly names: Set<string>;
  readonly expressions: PlacedExpression[];
  readonly parse: ParseExpression;
}

/**
 * Compiles the `{{ expression }}`s in the strings of a JSON-like value, at any depth; keys are never looked into. `path` is where
 * the value is in its document, for problems. Of an object, a property whose expression finds nothing is left out; in an array
 * it is null. Never throws on bad content.
 */
export function parseTemplate(
  value: unknown,
  path: string,
  parse: ParseExpression = parseExpression,
): ParsedTemplate {
  const parsing: Parsing = { problems: [], names: new Set(), expressions: [], parse };
  const rendered = compileValue(value, path, 0, parsing);
  const template: Template = {
    source: value,
    names: parsing.names,
    render: (scope) => render(rendered, scope),
  };
  return { template, problems: parsing.problems, expressions: parsing.expressions };
}

function compileValue(value: unknown, path: string, depth: number, parsing: Parsing): Rendered {
  if (depth > templateDepthMax) {
    parsing.problems.push({ path, message: `the value is nested more than ${templateDepthMax} deep` });
    return { kind: 'constant', value: null };
  }
  if (typeof value === 'string') return compileString(value, path, parsing);
  if (Array.isArray(value)) {
    const items = value.map((item, index) => compileValue(item, `${path}[${index}]`, depth + 1, parsing));
    return items.every((item) => item.kind === 'constant')
      ? { kind: 'constant', value }
      : { kind: 'list', items };
  }
  if (!isRecord(value)) return { kind: 'constant', value };
  const entries = Object.entries(value).map(([key, item]) => {
    return [key, compileValue(item, path === '' ? key : `${path}.${key}`, depth + 1, parsing)] as const;
  });
  const constant = entries.every(([, item]) => item.kind === 'constant');
  return constant ? { kind: 'constant', value } : { kind: 'record', entries };
}

function compileString(
  text: string,
  path: string,
  { problems, names, expressions, parse }: Parsing,
): Rendered {
  if (!text.includes('{{')) return { kind: 'constant', value: text };
  const { parts, inspections, problem } = splitTemplate(text, parse);
  if (problem !== null) {
    const { message, position } = problem;
    problems.push({ path, message: `${message} (at character ${position + 1} of "${shorten(text)}")` });
    return { kind: 'constant', value: null };
  }
  for (const part of parts) {
    if (typeof part !== 'string') for (const name of part.names) names.add(name);
  }
  for (const inspection of inspections) expressions.push({ path, inspection });
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && typeof only !== 'string') {
    return { kind: 'expression', expression: only };
  }
  return { kind: 'text', parts };
}

/** Longest piece of a document that a message quotes, in characters. */
const quoteMax = 80;

function shorten(text: string): string {
  return text.length > quoteMax ? `${text.slice(0, quoteMax)}…` : text;
}

async function render(rendered: Rendered, scope: Scope): Promise<unknown> {
  switch (rendered.kind) {
    case 'constant':
      return toPlainResult(rendered.value);
    case 'expression':
      return toPlainResult(await evaluate(rendered.expression, scope));
    case 'text': {
      let text = '';
      for (const part of rendered.parts) {
        text += typeof part === 'string' ? part : toInsertion(await evaluate(part, scope));
      }
      return text;
    }
    case 'list': {
      const list: unknown[] = [];
      for (const item of rendered.items) list.push((await render(item, scope)) ?? null);
      return list;
    }
    case 'record': {
      const record: Record<string, unknown> = {};
      for (const [key, item] of rendered.entries) {
        const value = await render(item, scope);
        if (value !== undefined) setOwn(record, key, value);
      }
      return record;
    }
    default:
      return rendered satisfies never;
  }
}

function evaluate(expression: Expression, scope: Scope): unknown {
  return expression.evaluateSync === null ? expression.evaluate(scope) : expression.evaluateSync(scope);
}

function toInsertion(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return JSON.stringify(toPlainResult(value));
  if (typeof value === 'function') return String(toPlainResult(value));
  return String(value);
}
