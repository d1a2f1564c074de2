import { ConnectorError } from '../../driver.ts';

/** What a value is compared with or passed to, as people know it. */
export interface LiteralPlace {
  readonly name: string;
  /** `Edm.Guid`, or the qualified name of an enumeration; null where nothing declares it. */
  readonly type: string | null;
  readonly isEnum: boolean;
}

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const INTEGER = /^-?\d{1,20}$/;
const DECIMAL = /^-?\d{1,60}(\.\d{1,60})?([eE][+-]?\d{1,3})?$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d\d:\d\d(:\d\d(\.\d{1,12})?)?$/;
const MOMENT = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(:\d\d(\.\d{1,12})?)?(Z|[+-]\d\d:\d\d)?)?$/i;
const DURATION = /^-?P(?=\d|T\d)(\d+D)?(T(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/;
const BASE64URL = /^[A-Za-z0-9_-]*={0,2}$/;

const WHOLE = new Set(['Edm.Byte', 'Edm.SByte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64']);
const NUMBERS = new Set(['Edm.Decimal', 'Edm.Double', 'Edm.Single']);

/**
 * A value as an OData literal (ABNF 4.01, "primitiveLiteral"), not yet encoded for a URL. Throws `CONFIG` for a value that does not fit
 * the type. Without a type, text is a string, and a number a number.
 */
export function literalOf(value: unknown, place: LiteralPlace): string {
  if (value === null) return 'null';
  const text = typeof value === 'string' ? value : scalarText(value, place);
  const { type } = place;
  if (type === null) return typeof value === 'string' ? quoted(text) : text;
  if (place.isEnum) return `${type}${quoted(text)}`;
  if (type === 'Edm.String') return quoted(text);
  if (WHOLE.has(type)) return checked(text, INTEGER, place, 'an integer');
  if (NUMBERS.has(type)) return checked(text, DECIMAL, place, 'a number');
  switch (type) {
    case 'Edm.Boolean':
      return checked(text, /^(true|false)$/, place, 'true or false');
    case 'Edm.Guid':
      return checked(text, GUID, place, 'a GUID');
    case 'Edm.Date':
      return checked(text.slice(0, 10), DATE, place, 'a date such as 2026-01-31');
    case 'Edm.TimeOfDay':
      return checked(text, TIME, place, 'a time of day such as 09:30:00');
    case 'Edm.DateTimeOffset':
      return momentOf(text, place);
    case 'Edm.Duration':
      return `duration'${checked(text, DURATION, place, 'a duration such as PT90M')}'`;
    case 'Edm.Binary':
      return `binary'${checked(text.replaceAll('+', '-').replaceAll('/', '_'), BASE64URL, place, 'base64')}'`;
    default:
      throw new ConnectorError('CONFIG', `"${place.name}" (${type}) cannot be compared with a single value`);
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function checked(text: string, form: RegExp, place: LiteralPlace, wanted: string): string {
  if (form.test(text)) return text;
  throw new ConnectorError(
    'CONFIG',
    `"${place.name}" (${place.type}) takes ${wanted}, not "${text.slice(0, 100)}"`,
  );
}

/** A time without a zone is UTC, a date its beginning. */
function momentOf(given: string, place: LiteralPlace): string {
  const text = checked(given, MOMENT, place, 'a time such as 2026-01-31T09:30:00Z').replace(' ', 'T');
  if (text.length === 10) return `${text}T00:00:00Z`;
  return /(Z|[+-]\d\d:\d\d)$/i.test(text) ? text : `${text}Z`;
}

function scalarText(value: unknown, { name }: LiteralPlace): string {
  if (['number', 'bigint', 'boolean'].includes(typeof value) && !Number.isNaN(value)) return String(value);
  throw new ConnectorError('CONFIG', `"${name}" takes a text, a number or true or false`);
}
