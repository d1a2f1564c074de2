import { isRecord } from '../../../base/json.ts';
import type { Scope } from '../../expression/expression.ts';
import type { CompiledExpressions } from './compiled-expressions.ts';

/** What a payload is made from. */
export interface PayloadInput {
  readonly config: Readonly<Record<string, unknown>>;
  readonly data: unknown;
  /** `job`, `job_config` and `args`. */
  readonly scope: Scope;
  readonly expressions: CompiledExpressions;
}

/** The value of the expression under `key`, or undefined where the widget has none. YAML's own `100` and `true` are what they say. */
export async function evaluateKey(
  input: PayloadInput,
  key: string,
  names: Scope = {},
  config: Readonly<Record<string, unknown>> = input.config,
): Promise<unknown> {
  const source = config[key];
  if (typeof source === 'number' || typeof source === 'boolean') return source;
  if (typeof source !== 'string') return undefined;
  const expression = input.expressions.of(source);
  const scope = { ...input.scope, data: input.data, ...names };
  return expression.evaluateSync === null ? expression.evaluate(scope) : expression.evaluateSync(scope);
}

/** The widget's list: `items_expr`, or the data itself. A single thing is a list of one, as in JSONata; nothing is empty. */
export async function itemsOf(input: PayloadInput): Promise<readonly unknown[]> {
  const items = 'items_expr' in input.config ? await evaluateKey(input, 'items_expr') : input.data;
  if (items === undefined || items === null) return [];
  return Array.isArray(items) ? items : [items];
}

export function fieldOf(item: unknown, key: string): unknown {
  return isRecord(item) && Object.hasOwn(item, key) ? item[key] : undefined;
}

/** One row is the row itself: what a query of a single result gives. */
export function soleItem(data: unknown): unknown {
  return Array.isArray(data) && data.length === 1 ? data[0] : data;
}

/** Numbers, and numbers in text as drivers give decimals; null for anything else. */
export function numberOrNull(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

export function textOrNull(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function recordsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
