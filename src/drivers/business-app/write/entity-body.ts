import { ConnectorError, type Row } from '../../driver.ts';
import { underlyingType } from '../metadata/model.ts';
import type { Subject } from '../query/property.ts';

const LONG = new Set(['Edm.Int64', 'Edm.Decimal']);
const TEXT = new Set(['Edm.String', 'Edm.Guid']);

/**
 * The values of a row as the JSON of a record (OData JSON Format 4.01, 7.1): numbers that may be long as text or, without `exact`, as
 * numbers; bytes as base64url. Throws `CONFIG` for a property that the entity does not have.
 */
export function entityBody(row: Row, subject: Subject | null, exact: boolean): Row {
  const body: Row = {};
  for (const [name, value] of Object.entries(row)) {
    const type = typeOf(name, subject);
    body[name] = value === null || value === undefined ? null : jsonOf(value, type, exact);
  }
  return body;
}

/** Null where nothing declares it. Links are given as `owner@odata.bind`. */
function typeOf(name: string, subject: Subject | null): string | null {
  if (subject === null || name.includes('@')) return null;
  const { model, type } = subject;
  const property = type.properties.get(name);
  if (property !== undefined) return underlyingType(model, property.type);
  if (type.isOpen || type.navigation.has(name)) return null;
  const names = [...type.properties.keys()].slice(0, 20).join(', ');
  throw new ConnectorError('CONFIG', `The entity has no property "${name}"; it has ${names}`);
}

function jsonOf(value: unknown, type: string | null, exact: boolean): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64url');
  if (type !== null && LONG.has(type)) return exact ? String(value) : Number(value);
  if (type !== null && TEXT.has(type) && typeof value !== 'object') return String(value);
  return typeof value === 'bigint' ? String(value) : value;
}
