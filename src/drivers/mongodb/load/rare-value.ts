import { ConnectorError } from '../../driver.ts';

type Document = Readonly<Record<string, unknown>>;

/** What is said of a connection that the server closed while it took rows. */
const UNKNOWN_TYPE = /does not know a type of the values/;

/** How deep a value is searched. */
const depthMax = 100;

/** What servers that only speak the protocol may lack a place for; null for any other value. */
function rareIn(value: unknown, depth = depthMax): string | null {
  if (value === null || value === undefined || depth === 0) return null;
  if (typeof value === 'number' || isOf(value, 'Double'))
    return Number.isFinite(Number(value)) ? null : 'NaN or an infinity';
  if (isOf(value, 'Decimal128')) return 'a decimal';
  if (typeof value !== 'object' || '_bsontype' in value || value instanceof Date) return null;
  if (Array.isArray(value) && value.some(Array.isArray)) return 'a list in a list';
  for (const item of Object.values(value)) {
    const found = rareIn(item, depth - 1);
    if (found !== null) return found;
  }
  return null;
}

function isOf(value: unknown, type: string): boolean {
  return typeof value === 'object' && value !== null && '_bsontype' in value && value._bsontype === type;
}

/** The first field that holds what not every server takes, and what that is. */
function rareField(document: Document): readonly [field: string, what: string] | null {
  for (const [field, value] of Object.entries(document)) {
    const what = rareIn(value);
    if (what !== null) return [field, what];
  }
  return null;
}

/** The refusal of one document: the row's fault where the server may have no place for one of its values. */
export function refusedDocument(fault: ConnectorError, document: Document): ConnectorError {
  return fault.fault === 'CONFIG' ? named(fault, 'DATA', rareField(document)) : fault;
}

/** The refusal of all documents at once, in which the server names none. */
export function refusedAll(fault: ConnectorError, documents: readonly Document[]): ConnectorError {
  const mayLackType = fault.fault === 'UNAVAILABLE' && UNKNOWN_TYPE.test(fault.message);
  if (fault.fault !== 'CONFIG' && !mayLackType) return fault;
  const found = documents
    .values()
    .map(rareField)
    .find((rare) => rare !== null);
  return named(fault, fault.fault, found ?? null);
}

function named(
  cause: ConnectorError,
  fault: ConnectorError['fault'],
  rare: readonly [field: string, what: string] | null,
): ConnectorError {
  if (rare === null) return cause;
  const [column, what] = rare;
  const message = `${cause.message}. The field "${column}" holds ${what}, which not every server of the protocol takes`;
  return new ConnectorError(fault, message, { cause, column });
}
