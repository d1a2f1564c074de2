import { parseJsonText } from './text/parse-json-text.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A JSON value as the text that it is stored as: answers take it as it is, without parsing it first. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return parseJsonText(this.text);
  }
}

/** `JSON.stringify` with sorted keys at every depth: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, v: unknown) => {
    if (v === null || typeof v !== 'object' || Array.isArray(v)) return v;
    const record = v as Record<string, unknown>;
    const sorted: [string, unknown][] = Object.keys(record)
      .sort()
      .map((key) => [key, record[key]]);
    return Object.fromEntries(sorted);
  });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/**
 * The same value with every text in it replaced, to any depth; names of keys stay. `change` gets the text and where it stands, such as
 * `config.list[0].name` for a `path` of `config`.
 */
export function mapTexts(
  value: unknown,
  path: string,
  change: (text: string, path: string) => string,
): unknown {
  if (typeof value === 'string') return change(value, path);
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, `${path}[${index}]`, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, `${path}.${key}`, change)]),
  );
}

/** Freezes the value with everything in it, and returns it. */
export function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object')
    for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
