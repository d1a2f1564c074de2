import { isRecord } from '../../base/json.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import { LongNumber, longNumber } from './long-number.ts';

interface Source {
  readonly source?: string;
}

/** What stands for a number that a double would change; null for any other. */
export type Inexact = (source: string, value: number) => LongNumber | null;

function keepText(_key: string, value: unknown, { source }: Source = {}): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  return longNumber(source, value)?.text ?? value;
}

/** Of digits and a point: no shorter number is changed by a double. */
const LONG = 16;
/** Of a number that may be beyond all doubles. */
const LARGE_EXPONENT = /\d[eE][+-]?\d{3}/;
const EXPONENT = /[eE][+-]?\d+/y;

/** Whether a number may stand in the text that a double changes. Looks at every sixteenth character, and around the digits there. */
function mayHoldInexact(text: string): boolean {
  for (let at = LONG - 1; at < text.length; at += LONG) {
    if (!isOfNumber(text.charCodeAt(at))) continue;
    let from = at;
    while (isOfNumber(text.charCodeAt(from - 1))) from--;
    let to = at + 1;
    while (isOfNumber(text.charCodeAt(to))) to++;
    if (to - from >= LONG && isInexact(text, from, to)) return true;
    at = to;
  }
  return LARGE_EXPONENT.test(text);
}

/** Many doubles have seventeen digits, and are exactly what they say. */
function isInexact(text: string, from: number, to: number): boolean {
  EXPONENT.lastIndex = to;
  return longNumber(text.slice(from, to) + (EXPONENT.exec(text)?.[0] ?? '')) !== null;
}

/** Of the code of a character, a digit or a point; false for none. */
function isOfNumber(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 46;
}

/** `JSON.parse` that keeps numbers as text where a double would change their digits. Throws `SyntaxError`. */
export function parseJson(text: string): unknown {
  // The reviver makes parsing several times slower, so it is for texts that may need it.
  return parseJsonText(text, mayHoldInexact(text) ? keepText : undefined);
}

/**
 * The same for a document in which records are found: the numbers that are fields of theirs come as `LongNumber`, so that columns tell
 * them from texts. `inexact` is asked for each number, where it is given.
 */
export function parseRecords<T>(
  text: string,
  recordsIn: (document: unknown) => readonly T[],
  inexact?: Inexact,
): { readonly document: unknown; readonly records: readonly T[] } {
  if (inexact === undefined && !mayHoldInexact(text)) {
    const document = parseJsonText(text);
    return { document, records: recordsIn(document) };
  }
  const stands = inexact ?? longNumber;
  const document = parseJsonText(text, (_key, value, { source } = {}) =>
    typeof value === 'number' && source !== undefined ? (stands(source, value) ?? value) : value,
  );
  const records = recordsIn(document);
  return { document: asTexts(document, new Set<unknown>(records)), records };
}

/** Puts the texts of numbers in their place, but where they are fields of the records, or records themselves. */
function asTexts(document: unknown, records: ReadonlySet<unknown>): unknown {
  if (document instanceof LongNumber) return document.text;
  const open: unknown[] = [document];
  while (open.length > 0) {
    const holder = open.pop();
    if (!isRecord(holder) && !Array.isArray(holder)) continue;
    const isRecordToRead = isRecord(holder) && records.has(holder);
    for (const [key, value] of Object.entries(holder)) {
      if (!(value instanceof LongNumber)) open.push(value);
      else if (!isRecordToRead && !records.has(value))
        Object.defineProperty(holder, key, { value: value.text });
    }
  }
  return document;
}
