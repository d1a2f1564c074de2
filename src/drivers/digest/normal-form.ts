import { isRecord } from '../../base/json.ts';
import { plainDecimal } from '../../base/text/plain-decimal.ts';
import { parseJson } from '../json/parse-json.ts';
import { normalDigits } from '../values/plain-digits.ts';

/**
 * The text by which values are equal, whatever engine they come from. `padded`: blanks at the end do not count. `number`: digits without
 * needless zeros, true and false as 1 and 0, floats by the shortest digits that are the same. `timestamp` and `time`: without needless
 * zeros, in UTC. `bytes`: hexadecimal. `json`: keys sorted, without blanks. `engine`: the engine's own text, of a type that both sides
 * have.
 */
export type NormalForm =
  | 'text'
  | 'padded'
  | 'number'
  | 'date'
  | 'timestamp'
  | 'time'
  | 'json'
  | 'bytes'
  | 'engine';

const NUMERIC: ReadonlySet<string> = new Set(['integer', 'number', 'decimal', 'boolean']);
/** Beyond it a numeral is compared as it is. */
const EXPONENT_MAX = 5_000;

/** A column by its common type, and as its engine declares it. */
interface Typed {
  readonly type: string;
  readonly native_type?: string;
}

/** The form in which the values of two columns are compared: text that reads as the other's type counts as that type. */
export function normalFormOf(a: Typed, b: Typed): NormalForm {
  const types = new Set([a.type, b.type]);
  if (types.has('json')) return 'json';
  if (types.has('binary')) return 'bytes';
  types.delete('string');
  types.delete('unknown');
  const all = [...types];
  if (all.length === 0) return isPadded(a) || isPadded(b) ? 'padded' : 'text';
  if (all.every((type) => NUMERIC.has(type))) return 'number';
  if (all.every((type) => type === 'date')) return 'date';
  if (all.every((type) => type === 'time')) return 'time';
  return all.every((type) => type === 'date' || type === 'timestamp') ? 'timestamp' : 'text';
}

/** `char(n)` gives blanks back that it was not given, or the other way round. */
function isPadded({ native_type: native = '' }: Typed): boolean {
  return /^(?:char|character|bpchar)\b(?! varying)/i.test(native);
}

/** A value of a row, as every driver gives it, in its normal form. */
export function normalText(value: unknown, form: NormalForm): string | null | undefined {
  if (value === null || value === undefined) return value;
  switch (form) {
    case 'number':
      return numberText(value);
    case 'padded':
      return plainText(value).replace(/ +$/, '');
    case 'date':
      return plainText(value).replace(/^(\d{4}-\d\d-\d\d)[T ]00:00(?::00(?:\.0+)?)?Z?$/, '$1');
    case 'timestamp':
      return timestampText(plainText(value));
    case 'time':
      return timeText(plainText(value));
    case 'json':
      return jsonText(value);
    case 'bytes':
      return bytesText(value);
    case 'text':
    case 'engine':
      return plainText(value);
    default:
      return form satisfies never;
  }
}

function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return numberText(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return typeof value === 'object' ? jsonText(value) : String(value);
}

const NUMERAL = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

function numberText(value: unknown): string {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value === 0 ? '0' : String(value);
    return Number.isFinite(value) ? normalDigits(plainDecimal(String(value))) : String(value);
  }
  if (typeof value === 'boolean') return value ? '1' : '0';
  const text = typeof value === 'bigint' ? String(value) : plainText(value).trim();
  const found = NUMERAL.exec(text);
  if (found === null) return wordText(text);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = found;
  if (Math.abs(Number(exponent)) > EXPONENT_MAX) return text;
  const minus = sign === '-' ? '-' : '';
  if (fraction === '' && found[4] === undefined) return normalDigits(minus + whole.replace(/^0+(?=\d)/, ''));
  const plain = plainDecimal(
    `${minus}${whole}${fraction === '' ? '' : `.${fraction}`}${found[4] === undefined ? '' : `e${exponent}`}`,
  );
  return normalDigits(plain.replace(/^(-?)0+(?=\d)/, '$1'));
}

function wordText(text: string): string {
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === 't') return '1';
  if (lower === 'false' || lower === 'f') return '0';
  return text;
}

const TIMESTAMP =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?: ?([Zz]|[+-]\d\d(?::?\d\d)?))?)?$/;

/** `2026-01-31T12:00:00.5`, in UTC; what is no such text, such as `infinity`, stays as it is. */
function timestampText(text: string): string {
  const found = TIMESTAMP.exec(text);
  if (found === null) return text.replace(/\+00(?= BC$|$)/, '');
  const [, year, month, day, hour = '00', minute = '00', second = '00', digits = '', zone = 'Z'] = found;
  const fraction = digits.replace(/0+$/, '');
  const end = fraction === '' ? '' : `.${fraction}`;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  if (/^[Zz]$|^[+-]00(?::?00)?$/.test(zone)) return local + end;
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  const at =
    Date.parse(`${local}Z`) - (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  return Number.isNaN(at) ? text : new Date(at).toISOString().replace(/\.000Z$/, '') + end;
}

/** `12:00:00.5`; an offset stays. */
function timeText(text: string): string {
  const found = /^(-?\d{2,}:\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d(?::?\d\d)?)?$/.exec(text);
  if (found === null) return text;
  const [, clock, second = '00', digits = '', zone = ''] = found;
  const fraction = digits.replace(/0+$/, '');
  return `${clock}:${second}${fraction === '' ? '' : `.${fraction}`}${zone}`;
}

/** Text that begins as an object or a list and reads as JSON is what it says: targets without JSON hold it so. */
function jsonText(value: unknown): string {
  return canonicalJson(typeof value === 'string' && /^\s*[{[]/.test(value) ? parsed(value) : value);
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function canonicalJson(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return numberText(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (isRecord(value)) {
    const names = Object.keys(value).filter((name) => value[name] !== undefined);
    return `{${names
      .sort()
      .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`)
      .join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** Batches carry bytes as base64. */
function bytesText(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  const text = plainText(value);
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes.toString('hex') : `=${text}`;
}
