import { AppError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import { shownValue } from '../../base/text/shown-value.ts';

export function invalid(path: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', message, { details: [{ path, message }] });
}

/** A whole number from 0 to 2^53 - 1. `VALIDATION_ERROR` for anything else; `path` names the field. */
export function count(value: unknown, path: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalid(path, `"${path}" must be a whole number from 0 to 2^53 - 1, not ${shownValue(value)}`);
}

/** A whole number from 1. */
export function positive(value: unknown, path: string): number {
  const number = count(value, path);
  if (number > 0) return number;
  throw invalid(path, `"${path}" must be at least 1`);
}

export function text(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw invalid(path, `"${path}" must be text`);
}

/** Text of `min` to `max` characters. */
export function boundedText(value: unknown, path: string, min: number, max: number): string {
  const found = text(value, path);
  if (found.length >= min && found.length <= max) return found;
  throw invalid(path, `"${path}" must have ${min} to ${max} characters, not ${found.length}`);
}

/** One of `values`, else `VALIDATION_ERROR`. */
export function oneOf<T extends string>(values: readonly T[], value: unknown, path: string): T {
  const found = values.find((candidate) => candidate === value);
  if (found !== undefined) return found;
  throw invalid(path, `"${path}" must be one of ${values.join(', ')}, not ${shownValue(value)}`);
}

/** A message that must be there. */
export function present<T>(value: T | null | undefined, path: string): T {
  if (value !== null && value !== undefined) return value;
  throw invalid(path, `"${path}" is missing`);
}

export function toJson(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value);
}

/** The value of a `*_json` field; empty text is `null`. */
export function fromJson(json: string, path: string): unknown {
  if (json === '') return null;
  try {
    return parseJsonText(json);
  } catch (cause) {
    throw new AppError('VALIDATION_ERROR', `"${path}" is not JSON`, { cause });
  }
}

/** The object of a `*_json` field; empty text is `{}`. */
export function recordFromJson(json: string, path: string): Readonly<Record<string, unknown>> {
  const value = fromJson(json, path);
  if (value === null) return {};
  if (isRecord(value)) return value;
  throw invalid(path, `"${path}" must be a JSON object`);
}

/**
 * The text of a `*_json` field as it is stored: as it came, on one line; empty where there is none. `VALIDATION_ERROR` where it is
 * not JSON of an object.
 */
export function recordText(json: string, path: string): string {
  if (json === '') return '';
  const value = recordFromJson(json, path);
  return json === 'null' || json.includes('\n') || json.includes('\r') ? JSON.stringify(value) : json;
}

/** A map field as an object whose keys are its own, `__proto__` too. */
export function ownEntries<T>(map: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(map));
}
