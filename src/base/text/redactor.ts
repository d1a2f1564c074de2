import { createByteSearch } from './byte-search.ts';
import { parseJsonText } from './parse-json-text.ts';

/** Shorter secrets are left alone: taking every "abc" out of a log would hide the log, and such a secret protects nothing. */
const SECRET_CHARS_MIN = 4;
/** Of a secret of several lines (a private key) each line of this length counts by itself: logs hold it line by line. */
const SECRET_LINE_CHARS_MIN = 16;
/** Shorter pieces of Base64 would be found by chance. */
const BASE64_CHARS_MIN = 6;

/** Escapes that JSON allows for any character: a secret may be spelt with them. */
const NEEDLESS_ESCAPE = /\\[u/]/;

export const REDACTED = '********';

/** Takes known secrets out of what is written, in the forms in which logs show them. */
export interface Redactor {
  /** False where there is nothing to look for. */
  readonly isActive: boolean;
  /** Whether UTF-8 bytes hold a secret as a string does; a quick look before they are decoded. */
  isIn(bytes: Uint8Array): boolean;
  text(value: string): string;
  /** JSON text with every string and every key redacted; parsed only where a secret may be in it. */
  json(text: string): string;
  /** The same JSON value with every string and every key redacted; the value itself where nothing is in it. */
  value<T>(value: T): T;
}

/**
 * Redacts each secret as plain text, JSON-escaped, URL-encoded (percent and form encoding) and in Base64 (both alphabets, at any
 * of the three alignments, so also inside `user:password`).
 */
export function createRedactor(secrets: Iterable<string>): Redactor {
  const forms = [...new Set([...secrets].flatMap(formsOf))].sort((one, other) => other.length - one.length);
  /** How JSON text holds the forms, where it escapes no more than it must. */
  const jsonForms = forms.map(escaped);
  // Made when first asked for: most redactors see text alone.
  let search: ((bytes: Uint8Array) => boolean) | null = null;
  const text = (value: string): string => {
    let redacted = value;
    for (const form of forms) if (redacted.includes(form)) redacted = redacted.replaceAll(form, REDACTED);
    return redacted;
  };
  return {
    isActive: forms.length > 0,
    isIn(bytes) {
      search ??= createByteSearch(forms.map((form) => Buffer.from(form)));
      return search(bytes);
    },
    text,
    json(value) {
      if (forms.length === 0) return value;
      const mayHold = NEEDLESS_ESCAPE.test(value) || jsonForms.some((form) => value.includes(form));
      return mayHold ? JSON.stringify(redactJson(parseJsonText(value), text)) : value;
    },
    value: <T>(value: T) => (forms.length === 0 ? value : (redactJson(value, text) as T)),
  };
}

function formsOf(secret: string): string[] {
  if (secret.length < SECRET_CHARS_MIN) return [];
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  const parts = lines.length > 1 ? lines.filter((line) => line.length >= SECRET_LINE_CHARS_MIN) : [];
  return [secret, ...parts].flatMap((part) => [part, escaped(part), ...urlEncoded(part), ...base64(part)]);
}

function escaped(part: string): string {
  return JSON.stringify(part).slice(1, -1);
}

function urlEncoded(part: string): string[] {
  const wellFormed = part.toWellFormed();
  return [encodeURIComponent(wellFormed), new URLSearchParams([['', wellFormed]]).toString().slice(1)];
}

/** What Base64 of any text around the secret surely holds: the characters that depend on the secret alone. */
function base64(part: string): string[] {
  const bytes = Buffer.from(part);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    const inner = encoded.slice(first, last);
    if (inner.length < BASE64_CHARS_MIN) return [];
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function redactJson(value: unknown, text: (value: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => redactJson(item, text));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (value === null || typeof value !== 'object') return value;
  let changed = false;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const [newKey, newItem] = [text(key), redactJson(item, text)];
    if (newKey !== key || newItem !== item) changed = true;
    return [newKey, newItem];
  });
  return changed ? Object.fromEntries(entries) : value;
}
