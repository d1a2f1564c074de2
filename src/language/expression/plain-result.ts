import { ExpressionError } from './expression.ts';
import { expressionNestingMax } from './limits.ts';

/**
 * A copy of a value as plain JSON: ordinary arrays and objects, without the properties that jsonata hides on its sequences.
 * Values that are neither (a date, bytes) stay as they are. Throws `ExpressionError` `RESULT` on a function at any depth,
 * and where the value is nested too deeply to be JSON of ours.
 */
export function toPlainResult(value: unknown, depth = 0): unknown {
  if (typeof value === 'function') throw functionRefused();
  if (value === null || typeof value !== 'object') return value;
  if (depth > expressionNestingMax) {
    throw new ExpressionError('RESULT', `the result is nested more than ${expressionNestingMax} deep`);
  }
  if (Array.isArray(value)) {
    const copy: unknown[] = new Array(value.length);
    for (let i = 0; i < value.length; i += 1) copy[i] = toPlainResult(value[i], depth + 1);
    return copy;
  }
  const record = value as Record<string, unknown>;
  if (record['_jsonata_lambda'] === true || record['_jsonata_function'] === true) throw functionRefused();
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return value;
  const copy: Record<string, unknown> = {};
  // Of a row, what is undefined is absent.
  for (const key of Object.keys(record))
    if (record[key] !== undefined) setOwn(copy, key, toPlainResult(record[key], depth + 1));
  return copy;
}

/** Sets a property of the object itself, whatever its name: `__proto__` too is data. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

function functionRefused(): ExpressionError {
  return new ExpressionError('RESULT', 'the result is or contains a function; call the function instead');
}
